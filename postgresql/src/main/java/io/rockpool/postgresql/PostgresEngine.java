package io.rockpool.postgresql;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.engine.Capability;
import io.rockpool.engine.ChangeListener;
import io.rockpool.engine.CommitLock;
import io.rockpool.engine.Engine;
import io.rockpool.engine.EngineFactory;
import io.rockpool.engine.EngineLimits;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RecordChecks;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.internal.engine.Arguments;
import io.rockpool.internal.engine.BoundRules;
import io.rockpool.internal.engine.BoundTransaction;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.internal.engine.RunningCalls;
import io.rockpool.internal.engine.ServerClock;
import io.rockpool.internal.engine.TransactionNotes;
import io.rockpool.internal.engine.Upkeep;
import io.rockpool.store.Durability;
import io.rockpool.store.ReclaimState;
import io.rockpool.store.Reclaimed;
import io.rockpool.store.Registration;
import io.rockpool.store.ServerState;
import io.rockpool.store.VerifyOptions;
import io.rockpool.store.VerifyReport;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * An engine on PostgreSQL 15 or newer, for applications of several processes: {@code
 * Rockpool.at(PostgresEngine.factory(dataSource)).open()}. Each schema is a store. Any number of
 * engines may be open on a store, in any number of processes; each sees what the others have
 * written, and reports it to {@link #onChange}. Thread-safe.
 *
 * <p>Every operation on records is one statement, and so one round trip. A row transaction is one
 * for each read, and one for the commit. It holds no lock and no connection while its function
 * runs. {@link #atomically} runs on one snapshot and holds a connection from its first read on. If
 * others have changed the rows of either in five runs, the next one locks them first.
 *
 * <p>A write that has returned is committed. What it survives is a setting of the server ({@code
 * synchronous_commit}); the levels of {@link Durability} make no difference. Records expire by the
 * server's clock.
 */
public final class PostgresEngine implements Engine, EngineUpkeep {
  /** After so many runs that met changes of others, a transaction locks its rows first. */
  static final int OPTIMISTIC_RUNS = 5;

  private final PostgresDatabase database;
  private final DataSource source;
  private final SameDatabase sameDatabase;
  private final @Nullable HikariDataSource ownSource;
  private final InstantSource clock;
  private final PostgresCatalog catalog;
  private final RecordStatements rows;
  private final RecordStatements entries;
  private final HotRows hotRows = new HotRows();
  private final Upkeep upkeep = new Upkeep();
  private final RunningCalls<PostgresTransaction> calls;
  private final PostgresFeed feed;
  private final PostgresNotifier notifier;
  private final PostgresHandles handles;
  private final Reclaiming reclaiming;

  PostgresEngine(DataSource source, @Nullable HikariDataSource ownSource, PostgresOptions options) {
    this.ownSource = ownSource;
    this.source = DirectSource.of(source);
    database = new PostgresDatabase(this.source, options.schema());
    PostgresSchema.prepare(database);
    boolean sharesSessions = PostgresSchema.checkPool(database);
    sameDatabase = new SameDatabase(database);
    InstantSource given = options.clock();
    clock = given == null ? serverClock(database) : given;
    catalog = new PostgresCatalog(database);
    rows = RecordStatements.of(Layout.ROWS, database);
    entries = RecordStatements.of(Layout.ENTRIES, database);
    calls = new RunningCalls<>(description());
    feed = new PostgresFeed(database, options.poll(), sharesSessions, upkeep);
    notifier = new PostgresNotifier(database, upkeep);
    handles = new PostgresHandles(this);
    reclaiming = new Reclaiming(database, clock, upkeep);
  }

  private static ServerClock serverClock(PostgresDatabase database) {
    ServerClock clock = new ServerClock(InstantSource.system());
    ServerTime.ask(database, clock, ServerClock.ANSWERS);
    return clock;
  }

  /**
   * Opens a store with the application's own connections. Each call of the engine uses one for its
   * duration, and {@link #onChange} one as long as the engine is open. Creates the schema if it
   * does not exist.
   *
   * @param source the connections; the caller closes it, after the engine
   * @return the engine
   * @throws io.rockpool.error.ServerUnavailableException if the server cannot be reached, refuses,
   *     or has a schema of another version
   */
  public static PostgresEngine open(DataSource source, PostgresOptions options) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(options, "options");
    return new PostgresEngine(source, null, options);
  }

  /**
   * Opens stores with the application's own connections: {@code
   * Rockpool.at(PostgresEngine.factory(dataSource)).open()}.
   *
   * @param source as of {@link #open(DataSource, PostgresOptions)}
   * @return the factory, with the default schema unless the builder has a property {@code
   *     rockpool.postgresql.schema}
   */
  public static EngineFactory factory(DataSource source) {
    Objects.requireNonNull(source, "source");
    return options -> open(source, PostgresOptions.of(options));
  }

  /**
   * Opens stores with the application's own connections, in another schema.
   *
   * @param source as of {@link #open(DataSource, PostgresOptions)}
   * @param schema as of {@link PostgresOptions#schema}
   * @return the factory
   * @throws IllegalArgumentException if the schema's name is not allowed
   */
  public static EngineFactory factory(DataSource source, String schema) {
    Objects.requireNonNull(source, "source");
    PostgresOptions checked = PostgresOptions.defaults().schema(schema);
    return options -> open(source, PostgresOptions.of(options).schema(checked.schema()));
  }

  /**
   * Opens a store with a pool of its own, which closes with the engine.
   *
   * @param url a URL of the PostgreSQL driver; it may contain user and password
   * @return the engine
   * @throws io.rockpool.error.ServerUnavailableException as of {@link #open(DataSource,
   *     PostgresOptions)}
   */
  public static PostgresEngine open(String url, PostgresOptions options) {
    Objects.requireNonNull(url, "url");
    Objects.requireNonNull(options, "options");
    return OwnPool.open(url, options);
  }

  @Override
  public String description() {
    return "The PostgreSQL engine on the schema \"" + database.schema() + "\"";
  }

  @Override
  public EngineLimits limits() {
    return PostgresLimits.ALL;
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.of(Capability.COLLECTIONS, Capability.MULTI_ROW_TRANSACTIONS, Capability.SHARED);
  }

  @Override
  public InstantSource clock() {
    return clock;
  }

  @Override
  public Space create(SpaceSpec spec) {
    Objects.requireNonNull(spec, "spec");
    refuseInTransaction("Creating a space");
    return call(() -> handle(catalog.create(spec, nowMillis())));
  }

  @Override
  public @Nullable Space open(String name) {
    Objects.requireNonNull(name, "name");
    refuseInTransaction("Opening a space");
    return this.<@Nullable Space>call(() -> handleOrNull(catalog.open(name, nowMillis())));
  }

  @Override
  public @Nullable Space openForUpkeep(String name) {
    Objects.requireNonNull(name, "name");
    refuseInTransaction("Opening a space");
    return this.<@Nullable Space>call(
        () -> handleOrNull(catalog.find(database, name, nowMillis())));
  }

  @Override
  public Space reset(SpaceSpec spec) {
    Objects.requireNonNull(spec, "spec");
    refuseInTransaction("A reset");
    return changing(() -> handle(catalog.reset(spec, nowMillis())));
  }

  @Override
  public @Nullable Space reset(SpaceSpec spec, Map<String, String> attributes) {
    refuseInTransaction("A reset");
    return this.<@Nullable Space>changing(
        () -> {
          PostgresCatalog.Known reset = catalog.reset(spec, attributes, nowMillis());
          return reset == null ? null : handle(reset);
        });
  }

  @Override
  public @Nullable SpaceInfo describe(String name) {
    Objects.requireNonNull(name, "name");
    return this.<@Nullable SpaceInfo>call(
        () -> {
          PostgresCatalog.Known known = catalog.find(connections(), name, nowMillis());
          return known == null ? null : known.info();
        });
  }

  @Override
  public List<SpaceInfo> list(String level) {
    SpaceName.checkLevel(level);
    return call(() -> catalog.list(connections(), level, nowMillis()));
  }

  @Override
  public void setAttributes(String name, Map<String, String> attributes) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(attributes, "attributes");
    Map<String, String> copy = Map.copyOf(attributes);
    refuseInTransaction("Setting attributes");
    run(() -> catalog.setAttributes(name, copy));
  }

  @Override
  public boolean drop(String name) {
    Objects.requireNonNull(name, "name");
    refuseInTransaction("A drop");
    return changing(() -> catalog.drop(name));
  }

  @Override
  public int dropAll(String level) {
    SpaceName.checkLevel(level);
    refuseInTransaction("A drop");
    return changing(() -> catalog.dropAll(level));
  }

  @Override
  public <R extends @Nullable Object> R atomically(Supplier<R> work) {
    Objects.requireNonNull(work, "work");
    PostgresTransaction outer = transaction();
    if (outer != null) {
      calls.checkNotInCall();
      return outer.notes().part(work);
    }
    handles.refuseInTransactionOfOther();
    TransactionNotes notes = new TransactionNotes();
    List<PostgresTransaction.SpaceRows> rows = List.of();
    for (int attempt = 1; ; attempt++) {
      boolean committed = false;
      PostgresTransaction transaction =
          calls.beginTransaction(notes, () -> new PostgresTransaction(this, notes, null));
      try {
        if (attempt > OPTIMISTIC_RUNS) {
          transaction.lockFirst(rows);
        }
        R result = work.get();
        committed = notes.lockToCommit() && transaction.commit();
        if (committed) {
          return result;
        }
      } catch (RuntimeException | Error e) {
        if (!transaction.isRepeated()) {
          throw e;
        }
      } finally {
        rows = transaction.rowsOfRun();
        calls.endTransaction();
        notes.end(committed);
      }
      PostgresDatabase.pause(Math.min(attempt, OPTIMISTIC_RUNS));
    }
  }

  @Override
  public BoundTransaction beginTransaction(BoundRules rules) {
    Objects.requireNonNull(rules, "rules");
    calls.refuseInTransaction("Beginning a transaction");
    TransactionNotes notes = new TransactionNotes();
    return new BoundPostgresTransaction(
        calls, calls.beginTransaction(notes, () -> new PostgresTransaction(this, notes, rules)));
  }

  @Override
  public boolean inTransaction() {
    return transaction() != null;
  }

  @Override
  public void afterCommit(Runnable action) {
    note(action, TransactionNotes::afterCommit);
  }

  @Override
  public void tellAfterCommit(Runnable action, @Nullable CommitLock lock) {
    note(action, (notes, message) -> notes.tellAfterCommit(message, lock));
  }

  @Override
  public void afterTransaction(Runnable action) {
    note(action, TransactionNotes::afterTransaction);
  }

  private void note(Runnable action, BiConsumer<TransactionNotes, Runnable> how) {
    Objects.requireNonNull(action, "action");
    PostgresTransaction transaction = transaction();
    if (transaction == null) {
      action.run();
    } else {
      how.accept(transaction.notes(), action);
    }
  }

  /**
   * {@inheritDoc} The first listener takes a connection of the pool for as long as this is open.
   */
  @Override
  public Registration onChange(ChangeListener listener) {
    Objects.requireNonNull(listener, "listener");
    checkOpen();
    return feed.add(listener);
  }

  /** Only runs {@code writes}: the server decides on durability. */
  @Override
  public <R extends @Nullable Object> R withDurability(
      Durability durability, Supplier<? extends R> writes) {
    Objects.requireNonNull(durability, "durability");
    Objects.requireNonNull(writes, "writes");
    checkOpen();
    Arguments.refuseDurabilityInTransaction(this);
    return writes.get();
  }

  /** Does nothing: the server has written what it has acknowledged. */
  @Override
  public void flush() {
    run(() -> {});
  }

  @Override
  public Reclaimed reclaim() {
    refuseInTransaction("Reclaiming");
    checkOpen();
    Reclaimed before = reclaiming.total();
    run(reclaiming::sweep);
    reclaiming.sweepLayers();
    return reclaiming.total().since(before);
  }

  @Override
  public Upkeep upkeep() {
    return upkeep;
  }

  @Override
  public void whenReclaiming(Supplier<List<BooleanSupplier>> sweeps) {
    reclaiming.add(sweeps);
  }

  /**
   * {@inheritDoc} Bytes are unknown and reported as 0. Measured every five seconds and by {@link
   * #reclaim}: a call neither waits for the server nor fails while it is away.
   */
  @Override
  public ReclaimState reclaimState() {
    checkOpen();
    return reclaiming.state();
  }

  /** {@inheritDoc} That of tables and indexes, measured as of {@link #reclaimState}. */
  @Override
  public long diskBytes() {
    checkOpen();
    return reclaiming.diskBytes();
  }

  /**
   * {@inheritDoc} Costs nothing. With a listener, it is the state of the feed of changes. Without
   * one, nothing in memory depends on reports, and the server is asked every five seconds.
   */
  @Override
  public Optional<ServerState> serverState() {
    checkOpen();
    return Optional.of(feed.state(reclaiming.answers()));
  }

  /**
   * {@inheritDoc} A write is tried in the background about every five seconds; this never waits.
   */
  @Override
  public void probeWrite() {
    reclaiming.throwRefusal();
  }

  /** {@inheritDoc} It reads one space after the other; the server checks its own files. */
  @Override
  public VerifyReport verify(VerifyOptions options, RecordChecks checks) {
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(checks, "checks");
    refuseInTransaction("A verification");
    checkOpen();
    return atomically(
        () -> {
          Map<PostgresCatalog.Known, Space> spaces = new LinkedHashMap<>();
          catalog
              .all(connections(), nowMillis())
              .forEach(known -> spaces.put(known, handle(known)));
          return new PostgresVerification(this, options, checks).run(spaces);
        });
  }

  @Override
  public void close() {
    // Before the calls: the sweeps of structures are calls.
    reclaiming.close();
    calls.close();
    handles.remove();
    feed.close();
    notifier.close();
    if (ownSource != null) {
      ownSource.close();
    }
  }

  PostgresDatabase database() {
    return database;
  }

  SameDatabase sameDatabase() {
    return sameDatabase;
  }

  /** The connections, without a proxy that binds them to transactions. */
  DataSource source() {
    return source;
  }

  PostgresCatalog catalog() {
    return catalog;
  }

  Sweeper sweeper() {
    return reclaiming.sweeper();
  }

  HotRows hotRows() {
    return hotRows;
  }

  /** The number of this handle in the table of changes. */
  long origin() {
    return database.origin();
  }

  long nowMillis() {
    return clock.millis();
  }

  RecordStatements statements(Layout layout) {
    return layout == Layout.ROWS ? rows : entries;
  }

  /** Where a read of the catalog gets its connection: a second one could wait for the pool. */
  Connections connections() {
    PostgresTransaction transaction = transaction();
    return transaction == null ? database : transaction;
  }

  @Nullable PostgresTransaction transaction() {
    return calls.transaction();
  }

  void changed() {
    notifier.changed();
  }

  void checkOpen() {
    calls.checkOpen();
  }

  void refuseInTransaction(String what) {
    calls.refuseInTransaction(what);
  }

  <R extends @Nullable Object> R call(Supplier<R> operation) {
    handles.refuseInTransactionOfOther();
    return calls.call(operation);
  }

  /** Runs a read that is in no transaction, even if the thread is in one. */
  <R extends @Nullable Object> R outside(Supplier<R> operation) {
    checkOpen();
    return transaction() == null ? call(operation) : operation.get();
  }

  void run(Runnable operation) {
    this.<@Nullable Void>call(
        () -> {
          operation.run();
          return null;
        });
  }

  private <R extends @Nullable Object> R changing(Supplier<R> change) {
    R result = call(change);
    changed();
    return result;
  }

  /** As {@link PostgresCatalog#renew}; the other handles hear of it. */
  void renew(long space, String name, long nowMillis, boolean clear, @Nullable Long expiryMillis) {
    try {
      catalog.renew(space, name, nowMillis, clear, expiryMillis);
    } finally {
      changed();
    }
  }

  private Space handle(PostgresCatalog.Known known) {
    return new PostgresSpace(this, known.id(), known.info().name(), known.info().layout());
  }

  private @Nullable Space handleOrNull(PostgresCatalog.@Nullable Known known) {
    return known == null ? null : handle(known);
  }
}
