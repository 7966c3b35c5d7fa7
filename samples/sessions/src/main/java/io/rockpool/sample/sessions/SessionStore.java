package io.rockpool.sample.sessions;

import io.rockpool.Rockpool;
import io.rockpool.structure.PersistentMap;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The sessions that are open: entries of a map, whose time to live is the idle timeout. Each access
 * renews it, which is one write and so survives {@code kill -9}. (In a {@code PersistentCache} with
 * {@code CacheExpiry.afterAccess} an access is a read and writes nothing, and after a kill a
 * session ends as if it had not been used lately.)
 */
final class SessionStore {
  private final Rockpool pool;
  private final InstantSource clock;
  private final Duration idle;
  private final PersistentMap<String, Session> sessions;

  /**
   * Opens the sessions of a store.
   *
   * @param clock the one the store was opened with
   * @param idle how long a session lives that is not used
   */
  SessionStore(Rockpool pool, InstantSource clock, Duration idle) {
    this.pool = pool;
    this.clock = clock;
    this.idle = idle;
    this.sessions =
        pool.map("sessions", String.class, Session.class, options -> options.entryTtl(idle));
  }

  /** Begins a session. */
  Session login(String user) {
    // Random and not counted: who guesses a session's id is taken for its user.
    String id = UUID.randomUUID().toString();
    Session session = new Session(id, user, clock.instant(), Map.of());
    sessions.put(id, session);
    return session;
  }

  /** The session of an id, which lives on for the idle timeout; empty if it has ended. */
  Optional<Session> access(String id) {
    return sessions.expireAfter(id, idle)
        ? Optional.ofNullable(sessions.get(id))
        : Optional.empty();
  }

  /** Sets an attribute, which is an access; empty, and nothing is set, if the session has ended. */
  Optional<Session> set(String id, String name, String value) {
    return pool.atomically(
        tx -> {
          Session session = sessions.get(id);
          if (session == null) {
            return Optional.empty();
          }
          Session changed = session.with(name, value);
          sessions.put(id, changed);
          return Optional.of(changed);
        });
  }

  /** Ends a session; says whether there was one. */
  boolean logout(String id) {
    return sessions.remove(id) != null;
  }

  /** The sessions that are open, in no particular order. To look at them is no access. */
  Stream<Session> open() {
    return sessions.values().stream();
  }

  /** How much longer a session lives if it is not used; empty if it has ended. */
  Optional<Duration> timeLeft(String id) {
    return sessions.ttl(id);
  }
}
