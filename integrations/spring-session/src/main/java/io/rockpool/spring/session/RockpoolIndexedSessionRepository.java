package io.rockpool.spring.session;

import io.rockpool.Rockpool;
import io.rockpool.structure.StructureOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ScheduledFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.scheduling.support.CronTrigger;
import org.springframework.session.DelegatingIndexResolver;
import org.springframework.session.FindByIndexNameSessionRepository;
import org.springframework.session.FlushMode;
import org.springframework.session.IndexResolver;
import org.springframework.session.MapSession;
import org.springframework.session.PrincipalNameIndexResolver;
import org.springframework.session.SaveMode;
import org.springframework.session.Session;
import org.springframework.session.SessionIdGenerator;
import org.springframework.session.UuidSessionIdGenerator;
import org.springframework.session.events.SessionCreatedEvent;
import org.springframework.session.events.SessionDeletedEvent;
import org.springframework.session.events.SessionExpiredEvent;

/**
 * Keeps Spring Session's sessions in collections of a Rockpool store, with an index by principal
 * name. Sessions survive a restart. Thread-safe once it is set up.
 *
 * <pre>{@code
 * @Configuration(proxyBeanMethods = false)
 * @EnableRockpoolHttpSession(maxInactiveIntervalInSeconds = 3600)
 * static class Sessions {
 *   @Bean
 *   Rockpool pool(@Value("${shop.directory}") Path directory) {
 *     return Rockpool.open(directory);
 *   }
 * }
 * }</pre>
 *
 * <p><b>Atomicity.</b> Each operation is one transaction: a session, its attributes, its expiry and
 * the index always agree. {@link #save} writes only what has changed, so two requests that set
 * different attributes of one session both succeed. In {@link Rockpool#atomically} an operation
 * joins the transaction; after a rollback, read the session again.
 *
 * <p><b>Removal.</b> A session that was deleted or has expired stays so: a request that still has
 * it gets an {@link IllegalStateException} when it saves.
 *
 * <p><b>Expiry.</b> Reads are exact to the millisecond. {@link #cleanUpExpiredSessions} removes
 * sessions that no request reads, by default once a minute, also those that expired while the
 * application was down.
 *
 * <p><b>Events.</b> {@link SessionCreatedEvent}, {@link SessionDeletedEvent} and {@link
 * SessionExpiredEvent} follow the commit, once each, on the thread that creates, deletes or finds
 * the session expired. They have the session with its attributes. A new session id raises none.
 *
 * <p><b>Durability.</b> As of any collection: a save that returned survives {@code kill -9}. See
 * {@link StructureOptions#durability} for a power loss.
 */
public final class RockpoolIndexedSessionRepository
    implements FindByIndexNameSessionRepository<RockpoolSession>, InitializingBean, DisposableBean {
  /** The default level of the collections: {@value}. */
  public static final String DEFAULT_NAME = "spring/session";

  /** The default schedule of {@link #cleanUpExpiredSessions}, once a minute: {@value}. */
  public static final String DEFAULT_CLEANUP_CRON = "0 * * * * *";

  private static final Logger logger = LoggerFactory.getLogger("io.rockpool.spring.session");
  private static final int PAGE = 256;
  private static final int STOP_SECONDS = 30;

  private final SessionRows rows;
  private final ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
  private ApplicationEventPublisher eventPublisher = event -> {};
  private IndexResolver<Session> indexResolver =
      new DelegatingIndexResolver<>(new PrincipalNameIndexResolver<>());
  private Duration defaultMaxInactiveInterval = MapSession.DEFAULT_MAX_INACTIVE_INTERVAL;
  private FlushMode flushMode = FlushMode.ON_SAVE;
  private SaveMode saveMode = SaveMode.ON_SET_ATTRIBUTE;
  private SessionIdGenerator idGenerator = UuidSessionIdGenerator.getInstance();
  private InstantSource clock = InstantSource.system();
  private String cleanupCron = DEFAULT_CLEANUP_CRON;
  private @Nullable ScheduledFuture<?> cleanup;

  /**
   * Opens the sessions below {@link #DEFAULT_NAME}.
   *
   * @param pool must stay open while this object is used
   */
  public RockpoolIndexedSessionRepository(Rockpool pool) {
    this(pool, DEFAULT_NAME, options -> options);
  }

  /**
   * Opens the sessions below a name of a store.
   *
   * @param pool must stay open while this object is used
   * @param name the level of the collections
   * @param options changes the options of all of them, such as their durability
   */
  public RockpoolIndexedSessionRepository(
      Rockpool pool, String name, UnaryOperator<StructureOptions> options) {
    rows = new SessionRows(pool, name, options);
  }

  /** Creates a session with a new id. It is stored by {@link #save}. */
  @Override
  public RockpoolSession createSession() {
    Instant now = clock.instant();
    MapSession created = new MapSession(newId());
    created.setCreationTime(now);
    created.setLastAccessedTime(now);
    created.setMaxInactiveInterval(defaultMaxInactiveInterval);
    RockpoolSession session = new RockpoolSession(this, created, false);
    flush(session);
    return session;
  }

  /**
   * Writes what has changed of a session. One transaction; one write of a small record if the
   * session was only accessed.
   *
   * @throws IllegalStateException if the session was removed since it was read; nothing is written
   * @throws io.rockpool.error.UnencodableValueException if an attribute cannot be encoded; nothing
   *     is written
   */
  @Override
  public void save(RockpoolSession session) {
    if (!session.isChanged()) {
      return;
    }
    String principal = principalOf(session);
    rows.save(session, principal, () -> publish(new SessionCreatedEvent(this, session)));
    session.markStored(principal);
  }

  /** Returns a session, or null if there is none or it has expired. Reads all its attributes. */
  @Override
  public @Nullable RockpoolSession findById(String id) {
    StoredSession found = rows.read(id);
    if (found != null && found.details().isExpired(nowMillis())) {
      expire(id);
      return null;
    }
    return found == null ? null : session(found);
  }

  /** Deletes a session, if it is there. */
  @Override
  public void deleteById(String id) {
    rows.remove(id, removed -> publish(new SessionDeletedEvent(this, session(removed))));
  }

  /**
   * Returns the sessions of a principal by id. Reads each of them.
   *
   * @param indexName {@link #PRINCIPAL_NAME_INDEX_NAME}; no session is found by another
   */
  @Override
  public Map<String, RockpoolSession> findByIndexNameAndIndexValue(
      String indexName, String indexValue) {
    Map<String, RockpoolSession> found = new HashMap<>();
    if (PRINCIPAL_NAME_INDEX_NAME.equals(indexName)) {
      for (String id : rows.idsOf(indexValue)) {
        RockpoolSession session = findById(id);
        if (session != null) {
          found.put(id, session);
        }
      }
    }
    return found;
  }

  /** Removes the sessions that have expired, and publishes their events. A transaction for each. */
  public void cleanUpExpiredSessions() {
    long nowMillis = nowMillis();
    boolean again = true;
    while (again) {
      List<String> due = rows.due(nowMillis, PAGE);
      long removed = due.stream().filter(this::expireOrLog).count();
      again = due.size() == PAGE && removed > 0;
    }
  }

  /** One session that fails does not keep the others. */
  private boolean expireOrLog(String id) {
    try {
      expire(id);
      return true;
    } catch (RuntimeException e) {
      logger.warn("An expired session was not removed. The next cleanup tries again.", e);
      return false;
    }
  }

  private void expire(String id) {
    rows.removeIfExpired(
        id, nowMillis(), removed -> publish(new SessionExpiredEvent(this, session(removed))));
  }

  private RockpoolSession session(StoredSession stored) {
    return new RockpoolSession(this, stored.toMapSession(), true);
  }

  private void publish(ApplicationEvent event) {
    try {
      eventPublisher.publishEvent(event);
    } catch (RuntimeException e) {
      logger.error("A listener of {} failed.", event.getClass().getSimpleName(), e);
    }
  }

  /** Saves a session at once if sessions are flushed immediately. */
  void flush(RockpoolSession session) {
    if (flushMode == FlushMode.IMMEDIATE) {
      save(session);
    }
  }

  @Nullable String principalOf(Session session) {
    return indexResolver.resolveIndexesFor(session).get(PRINCIPAL_NAME_INDEX_NAME);
  }

  String newId() {
    return idGenerator.generate();
  }

  long nowMillis() {
    return clock.millis();
  }

  SaveMode saveMode() {
    return saveMode;
  }

  /** Starts the scheduled cleanup. */
  @Override
  public void afterPropertiesSet() {
    if (!Scheduled.CRON_DISABLED.equals(cleanupCron)) {
      scheduler.setThreadNamePrefix("rockpool-session-");
      scheduler.setDaemon(true);
      scheduler.setWaitForTasksToCompleteOnShutdown(true);
      scheduler.setAwaitTerminationSeconds(STOP_SECONDS);
      scheduler.initialize();
      cleanup = scheduler.schedule(this::cleanUpExpiredSessions, new CronTrigger(cleanupCron));
    }
  }

  /** Stops the scheduled cleanup and waits for one that runs. The store stays open. */
  @Override
  public void destroy() {
    if (cleanup != null) {
      cleanup.cancel(false); // The scheduler would wait for the next run.
      scheduler.destroy();
    }
  }

  /** Sets where events are published; by default nowhere. */
  public void setApplicationEventPublisher(ApplicationEventPublisher publisher) {
    eventPublisher = Objects.requireNonNull(publisher, "publisher");
  }

  /**
   * Sets how the principal's name is found; by default as in Spring Session's other repositories.
   */
  public void setIndexResolver(IndexResolver<Session> resolver) {
    indexResolver = Objects.requireNonNull(resolver, "resolver");
  }

  /**
   * Sets how long a new session lives without an access; negative: for good. The default is 30 min.
   */
  public void setDefaultMaxInactiveInterval(Duration interval) {
    defaultMaxInactiveInterval = Objects.requireNonNull(interval, "interval");
  }

  /** Sets when sessions are written: by {@code save}, the default, or at each change. */
  public void setFlushMode(FlushMode mode) {
    flushMode = Objects.requireNonNull(mode, "mode");
  }

  /** Sets which attributes {@code save} writes: by default those that were set or removed. */
  public void setSaveMode(SaveMode mode) {
    saveMode = Objects.requireNonNull(mode, "mode");
  }

  /** Sets how ids are made; by default they are random UUIDs. */
  public void setSessionIdGenerator(SessionIdGenerator generator) {
    idGenerator = Objects.requireNonNull(generator, "generator");
  }

  /** Sets the schedule of {@link #cleanUpExpiredSessions}; {@code "-"}: never. */
  public void setCleanupCron(String cron) {
    cleanupCron = Objects.requireNonNull(cron, "cron");
  }

  /** Sets the clock; by default the system's. Spring's filter always uses that for accesses. */
  public void setClock(InstantSource source) {
    clock = Objects.requireNonNull(source, "source");
  }
}
