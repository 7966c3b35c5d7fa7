package io.rockpool.spring.session;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.session.MapSession;
import org.springframework.session.SaveMode;
import org.springframework.session.Session;

/**
 * A session of a {@link RockpoolIndexedSessionRepository}. It collects what has changed since it
 * was read, and {@link RockpoolIndexedSessionRepository#save} writes only that. Not thread-safe: as
 * other sessions of Spring Session, each request reads its own.
 */
public final class RockpoolSession implements Session {
  private final RockpoolIndexedSessionRepository repository;
  private final MapSession current;
  private final Map<String, @Nullable Object> changedAttributes = new HashMap<>();
  private String storedId;
  private boolean stored;
  private @Nullable String principal;
  private boolean accessed;
  private boolean intervalChanged;

  RockpoolSession(RockpoolIndexedSessionRepository repository, MapSession current, boolean stored) {
    this.repository = repository;
    this.current = current;
    this.storedId = current.getId();
    this.stored = stored;
    this.principal = repository.principalOf(current);
    if (repository.saveMode() == SaveMode.ALWAYS) {
      current
          .getAttributeNames()
          .forEach(name -> changedAttributes.put(name, current.getAttribute(name)));
    }
  }

  /** The id under which the session was read or last saved. */
  String storedId() {
    return storedId;
  }

  boolean isStored() {
    return stored;
  }

  boolean isChanged() {
    return !stored
        || accessed
        || intervalChanged
        || !changedAttributes.isEmpty()
        || !storedId.equals(getId());
  }

  /** The attributes to write; null: to remove. */
  Map<String, @Nullable Object> changedAttributes() {
    return changedAttributes;
  }

  /**
   * What is to be stored: only what was changed here, since another request may have changed the
   * rest.
   *
   * @param before what is stored, or null
   * @param principalNow the principal's name, or null
   */
  SessionRecord changed(@Nullable SessionRecord before, @Nullable String principalNow) {
    if (before == null) {
      return new SessionRecord(
          getCreationTime(),
          getLastAccessedTime(),
          getMaxInactiveInterval(),
          principalNow,
          SessionRecord.NEVER);
    }
    return new SessionRecord(
        before.created(),
        accessed ? getLastAccessedTime() : before.accessed(),
        intervalChanged ? getMaxInactiveInterval() : before.maxInactive(),
        Objects.equals(principal, principalNow) ? before.principal() : principalNow,
        before.checkMillis());
  }

  /** Notes that the session is stored as it is now. */
  void markStored(@Nullable String principalNow) {
    storedId = getId();
    stored = true;
    principal = principalNow;
    accessed = false;
    intervalChanged = false;
    changedAttributes.clear();
  }

  @Override
  public String getId() {
    return current.getId();
  }

  /** Gives the session a new id. The next save moves the session there, in one transaction. */
  @Override
  public String changeSessionId() {
    current.setId(repository.newId());
    repository.flush(this);
    return getId();
  }

  @Override
  @SuppressWarnings("TypeParameterUnusedInFormals") // of the interface
  public <T> @Nullable T getAttribute(String name) {
    T value = current.getAttribute(name);
    if (value != null && repository.saveMode() == SaveMode.ON_GET_ATTRIBUTE) {
      changedAttributes.put(name, value);
    }
    return value;
  }

  @Override
  public Set<String> getAttributeNames() {
    return current.getAttributeNames();
  }

  /** Sets an attribute, of any class that Rockpool encodes; null removes it. */
  @Override
  public void setAttribute(String name, @Nullable Object value) {
    current.setAttribute(name, value);
    changedAttributes.put(name, value);
    repository.flush(this);
  }

  @Override
  public void removeAttribute(String name) {
    setAttribute(name, null);
  }

  @Override
  public Instant getCreationTime() {
    return current.getCreationTime();
  }

  @Override
  public void setLastAccessedTime(Instant time) {
    current.setLastAccessedTime(time);
    accessed = true;
    repository.flush(this);
  }

  @Override
  public Instant getLastAccessedTime() {
    return current.getLastAccessedTime();
  }

  @Override
  public void setMaxInactiveInterval(Duration interval) {
    current.setMaxInactiveInterval(interval);
    intervalChanged = true;
    repository.flush(this);
  }

  @Override
  public Duration getMaxInactiveInterval() {
    return current.getMaxInactiveInterval();
  }

  @Override
  public boolean isExpired() {
    return changed(null, null).isExpired(repository.nowMillis());
  }
}
