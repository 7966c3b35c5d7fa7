package io.rockpool.spring.session;

import io.rockpool.Rockpool;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.structure.Mutations;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentTable;
import io.rockpool.structure.Range;
import io.rockpool.structure.ScoredElement;
import io.rockpool.structure.StructureOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The collections that hold sessions: a row for each session, the index, and the queue of
 * expirations. Each method is one transaction over all of them.
 *
 * <p>The queue of expirations has each session that can expire, at its expiry or earlier: an access
 * that extends a life does not write there. {@link #removeIfExpired} moves a session that is due
 * too early.
 */
final class SessionRows {
  private static final Logger logger = LoggerFactory.getLogger("io.rockpool.spring.session");

  /** The sort key of a session's {@link SessionRecord}. */
  private static final String DETAILS = "session";

  /** In front of the name of an attribute, as its sort key. */
  private static final String ATTRIBUTE = "attribute:";

  private final Rockpool pool;
  private final PersistentTable<String, String, SessionCell> sessions;
  private final PersistentTable<String, String, Boolean> idsByPrincipal;
  private final PersistentScoredSet<String> expirations;

  SessionRows(Rockpool pool, String name, UnaryOperator<StructureOptions> options) {
    this.pool = pool;
    sessions =
        pool.table(name + "/sessions", String.class, String.class, SessionCell.class, options);
    idsByPrincipal =
        pool.table(name + "/principals", String.class, String.class, Boolean.class, options);
    expirations =
        pool.scoredSet(
            name + "/expirations", String.class, each -> options.apply(each).ranked(false));
  }

  @Nullable StoredSession read(String id) {
    return pool.<@Nullable StoredSession>atomically(
        transaction -> {
          SessionRecord details = details(id);
          return details == null ? null : new StoredSession(id, details, attributesOf(id));
        });
  }

  private @Nullable SessionRecord details(String id) {
    SessionCell cell = sessions.get(id, DETAILS);
    return cell == null ? null : cell.details();
  }

  private Map<String, Object> attributesOf(String id) {
    Map<String, Object> found = new HashMap<>();
    for (Map.Entry<String, SessionCell> each : sessions.read(id, Range.prefix(ATTRIBUTE))) {
      Object value = Objects.requireNonNull(each.getValue().attribute());
      found.put(each.getKey().substring(ATTRIBUTE.length()), value);
    }
    return found;
  }

  List<String> idsOf(String principal) {
    return idsByPrincipal.sortKeys(principal, Range.all());
  }

  /**
   * Writes what has changed of a session.
   *
   * @param principal its name for the index, or null
   * @param created runs after the commit if the session is new
   * @throws IllegalStateException if the session was removed since it was read
   */
  void save(RockpoolSession session, @Nullable String principal, Runnable created) {
    pool.runAtomically(
        transaction -> {
          SessionRecord before = details(session.storedId());
          if (before == null) {
            if (session.isStored()) {
              throw new IllegalStateException("Session was invalidated");
            }
            transaction.afterCommit(created);
          }
          write(session, before, session.changed(before, principal));
        });
  }

  private void write(
      RockpoolSession session, @Nullable SessionRecord before, SessionRecord changed) {
    String id = session.getId();
    String indexed = before == null ? null : before.principal();
    SessionRecord details = changed;
    if (before != null && !session.storedId().equals(id)) {
      sessions.mutate(id, changes(attributesOf(session.storedId())));
      remove(session.storedId(), before);
      indexed = null;
      details = changed.checkedAt(SessionRecord.NEVER);
    }
    index(id, indexed, details.principal());
    SessionCell cell = new SessionCell(scheduled(id, details), null);
    sessions.mutate(id, changes(session.changedAttributes()).put(DETAILS, cell));
  }

  private static Mutations<String, SessionCell> changes(
      Map<String, ? extends @Nullable Object> attributes) {
    Mutations<String, SessionCell> changes = new Mutations<>();
    attributes.forEach(
        (name, value) -> {
          if (value == null) {
            changes.remove(ATTRIBUTE + name);
          } else {
            changes.put(ATTRIBUTE + name, new SessionCell(null, value));
          }
        });
    return changes;
  }

  private void index(String id, @Nullable String before, @Nullable String after) {
    if (Objects.equals(before, after)) {
      return;
    }
    if (before != null) {
      idsByPrincipal.remove(before, id);
    }
    if (after != null) {
      idsByPrincipal.put(after, id, true);
    }
  }

  /** Queues a session that expires earlier than it is queued. */
  private SessionRecord scheduled(String id, SessionRecord details) {
    long expiryMillis = details.expiryMillis();
    if (expiryMillis >= details.checkMillis()) {
      return details;
    }
    expirations.add(id, (double) expiryMillis);
    return details.checkedAt(expiryMillis);
  }

  /** Removes a session, if it is there. {@code removed} runs after the commit. */
  void remove(String id, Consumer<StoredSession> removed) {
    pool.runAtomically(
        transaction -> {
          SessionRecord details = details(id);
          if (details != null) {
            StoredSession session = lastOf(id, details);
            remove(id, details);
            transaction.afterCommit(() -> removed.accept(session));
          }
        });
  }

  /** Removes a session if it has expired. {@code removed} runs after the commit. */
  void removeIfExpired(String id, long nowMillis, Consumer<StoredSession> removed) {
    pool.runAtomically(
        transaction -> {
          SessionRecord details = details(id);
          if (details == null) {
            expirations.remove(id);
          } else if (details.isExpired(nowMillis)) {
            remove(id, removed);
          } else if (details.checkMillis() <= nowMillis) {
            expirations.remove(id);
            SessionRecord later = scheduled(id, details.checkedAt(SessionRecord.NEVER));
            sessions.put(id, DETAILS, new SessionCell(later, null));
          }
        });
  }

  /** The ids of sessions that may have expired, at most {@code limit}. */
  List<String> due(long nowMillis, int limit) {
    return expirations.range(Range.atMost((double) nowMillis).limit(limit)).stream()
        .map(ScoredElement::element)
        .toList();
  }

  private void remove(String id, SessionRecord details) {
    sessions.removeRow(id);
    expirations.remove(id);
    index(id, details.principal(), null);
  }

  /** A session that ends: an attribute that cannot be decoded does not keep it. */
  private StoredSession lastOf(String id, SessionRecord details) {
    try {
      return new StoredSession(id, details, attributesOf(id));
    } catch (UndecodableValueException e) {
      logger.warn("A session ends. Its event has no attributes, since one cannot be decoded.", e);
      return new StoredSession(id, details, Map.of());
    }
  }
}
