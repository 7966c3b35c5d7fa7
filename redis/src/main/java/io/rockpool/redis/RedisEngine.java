package io.rockpool.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.SetArgs;
import io.lettuce.core.SslOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.rockpool.engine.Capability;
import io.rockpool.engine.ChangeListener;
import io.rockpool.engine.Engine;
import io.rockpool.engine.EngineLimits;
import io.rockpool.engine.EngineOptions;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RecordChecks;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.internal.concurrent.EveryStep;
import io.rockpool.internal.engine.BackgroundThread;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.internal.engine.LayerSweeps;
import io.rockpool.internal.engine.Upkeep;
import io.rockpool.internal.engine.Verification;
import io.rockpool.store.Durability;
import io.rockpool.store.ReclaimState;
import io.rockpool.store.Reclaimed;
import io.rockpool.store.Registration;
import io.rockpool.store.ServerState;
import io.rockpool.store.VerifyOptions;
import io.rockpool.store.VerifyReport;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Caches on a server of Redis or Valkey, version 7 or later. Several processes may open the same
 * data; each learns what the others change, by client-side tracking.
 *
 * <p>It keeps entries only ({@link Layout#ENTRIES}), so collections and transactions over several
 * rows are refused: a Redis cluster loses acknowledged writes in a failover. Each entry is a key
 * that expires by the server's clock. What a write survives is a matter of the server's
 * configuration; durabilities have no effect.
 *
 * <p>Open it with {@code Rockpool.at(URI.create("redis://localhost:6379"))}. Thread-safe.
 */
public final class RedisEngine implements Engine, EngineUpkeep {
  private static final String THREAD = "rockpool-redis-connection";
  private static final String WATCHING = "rockpool-redis-silence";

  /** How often lost servers are connected again, and new masters are looked for. */
  private static final Duration TENDING = Duration.ofMillis(250);

  /** How long each round waits for connections; attempts go on after that. */
  private static final Duration TENDING_PATIENCE = Duration.ofMillis(150);

  private static final SetArgs PROBED = SetArgs.Builder.px(1);
  private static final Duration CLOSING_PATIENCE = Duration.ofSeconds(30);

  private final RedisSettings settings;
  private final OpenCalls calls;
  private final Upkeep upkeep = new Upkeep();
  private final KeyNames keys;
  private final OwnEchoes echoes = new OwnEchoes();
  private final InstantSource clock;
  private final ClientResources resources;
  private final RedisClient client;
  private final Reports reports;
  private final Servers servers;
  private final @Nullable Replicas replicas;
  private final RoundTrips trips;
  private final RedisCatalog catalog;
  private final LostNames lost;
  private final RedisGenerations generations;
  private final Garbage garbage;
  private final LayerSweeps sweeps = new LayerSweeps();
  private final Settlements dropped;
  private final BackgroundThread tending;

  /** It never waits for the network, so nothing can delay it. */
  private final BackgroundThread watching;

  private RedisEngine(RedisSettings settings, @Nullable SslOptions tls) {
    this.settings = settings;
    this.calls = new OpenCalls(description());
    this.keys = new KeyNames(settings.prefix());
    this.resources =
        DefaultClientResources.builder()
            .ioThreadPoolSize(2)
            .computationThreadPoolSize(2)
            .nettyCustomizer(new CommandGroup.Customizer())
            .build();
    this.client = client(resources, settings, tls);
    KeyUses uses = settings.readsFromReplicas() ? new KeyUses() : null;
    this.reports = new Reports(keys, echoes, () -> catalog().list(""), uses, upkeep);
    this.servers = Servers.of(client, settings, keys, reports);
    this.replicas =
        uses == null
            ? null
            : new Replicas(client, settings, servers, uses, reports::isArmed, upkeep);
    InstantSource given = settings.clock();
    this.clock = given == null ? () -> Instant.ofEpochMilli(servers.nowMillis()) : given;
    this.trips = new RoundTrips(servers, settings, reports::watched);
    DueSweep due = new DueSweep(trips, keys, clock);
    this.catalog = new RedisCatalog(trips, keys, clock, due);
    this.lost = new LostNames(catalog, reports);
    this.generations = new RedisGenerations(trips, keys, catalog, lost, clock);
    this.garbage = new Garbage(trips, keys, catalog, due, clock, sweeps, upkeep);
    this.dropped = new Settlements(generations, upkeep);
    this.tending = new BackgroundThread(THREAD, TENDING, this::tend, upkeep);
    this.watching = new BackgroundThread(WATCHING, Pulse.PERIOD, servers::watch, upkeep);
    reports.start(servers, lost, generations);
    catalog.onEra(lost::putBackAll);
  }

  /** The client; ends the threads of the resources if it cannot be made. */
  private static RedisClient client(
      ClientResources resources, RedisSettings settings, @Nullable SslOptions tls) {
    try {
      return RedisClients.client(resources, settings, tls);
    } catch (RuntimeException | Error e) {
      new EveryStep().take(() -> shutdown(resources)).addTo(e);
      throw e;
    }
  }

  private static void shutdown(ClientResources resources) {
    resources.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  /**
   * Connects to a server, to the master that sentinels name, or to the masters of a cluster.
   *
   * @param uri {@code redis://[user:password@]host[:port][/database]}, or {@code rediss} for TLS;
   *     {@code redis-sentinel} and {@code rediss-sentinel} for the places of sentinels, separated
   *     by commas. The query may have properties, such as {@code ?prefix=shop&timeout=500ms}
   * @param options the clock, if it is not the system's, replaces the server's; properties are
   *     those of the query, with {@code rockpool.redis.} before their names
   * @return the engine
   * @throws IllegalArgumentException if the URI or a property is wrong
   * @throws io.rockpool.error.ServerUnavailableException if the server cannot be reached
   */
  public static RedisEngine open(URI uri, EngineOptions options) {
    return open(uri, options, null);
  }

  /**
   * Like {@link #open(URI, EngineOptions)}, with certificates that are not in files.
   *
   * @param tls what a {@code rediss} URI uses instead of the options for certificates; null for
   *     these
   */
  public static RedisEngine open(URI uri, EngineOptions options, @Nullable SslOptions tls) {
    RedisEngine engine = new RedisEngine(RedisSettings.of(uri, options), tls);
    try {
      engine.watching.start();
      engine.connectFirst();
      if (engine.replicas != null) {
        engine.replicas.start();
      }
      engine.tending.start();
      engine.garbage.start();
      return engine;
    } catch (RuntimeException | Error e) {
      new EveryStep().take(engine::close).addTo(e);
      throw e;
    }
  }

  /** Tries again if the first attempt took its whole time: it also loads the client's classes. */
  private void connectFirst() {
    long begun = System.nanoTime();
    try {
      servers.tend(settings.openingPatience());
    } catch (ServerUnavailableException e) {
      if (System.nanoTime() - begun < settings.timeout().toNanos()) {
        throw e;
      }
      servers.tend(settings.openingPatience());
    }
  }

  @Override
  public String description() {
    return "The Redis store at " + settings.place();
  }

  @Override
  public EngineLimits limits() {
    return RedisSpace.LIMITS;
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.SHARED);
  }

  /** {@inheritDoc} It is the server's, unless the engine was opened with another one. */
  @Override
  public InstantSource clock() {
    return clock;
  }

  /**
   * Returns whether the server reports changes now. While it does not, nothing is kept in memory.
   *
   * @return whether the hot tiers are in use
   */
  public boolean isFeedArmed() {
    return reports.isArmed();
  }

  OpenCalls calls() {
    return calls;
  }

  RedisCatalog catalog() {
    return catalog;
  }

  RedisGenerations generations() {
    return generations;
  }

  Garbage garbage() {
    return garbage;
  }

  @Override
  public Space create(SpaceSpec spec) {
    requireEntries(spec);
    return calls.run(() -> created(catalog.create(spec, clock.millis())));
  }

  private void requireEntries(SpaceSpec spec) {
    if (Objects.requireNonNull(spec, "spec").layout() != Layout.ENTRIES) {
      throw Capability.COLLECTIONS.missingFrom(this);
    }
  }

  private Space created(CatalogEntry entry) {
    RedisSpaceState state = reports.state(entry);
    generations.createAll(state);
    return handle(state);
  }

  private Space handle(RedisSpaceState state) {
    return new RedisSpace(this, entries(state), false);
  }

  Entries entries(RedisSpaceState state) {
    ReplicaReads replicaReads =
        replicas == null
            ? null
            : new ReplicaReads(replicas, keys, clock, state, reports.counters.replicaReads);
    return new Entries(
        trips, keys, generations, echoes, clock, settings.clock() == null, state, replicaReads);
  }

  /** Connects what is not connected. Other work that waits for servers has another thread. */
  private void tend() {
    reports.forgetOldTails(System.nanoTime());
    servers.tend(TENDING_PATIENCE);
    catalog.touch(reports::checkNames);
    dropped.settleSoon(this::entries);
  }

  /** Removes entries whose puts were dropped, before they are used. */
  void settleDropped(Entries entries, List<byte[]> hashKeys) {
    dropped.settle(entries, hashKeys);
  }

  void forgetDropped(RedisSpaceState state) {
    dropped.forget(state);
  }

  @Override
  public boolean missesWhenAway() {
    return settings.missesWhenAway();
  }

  @Override
  public Object serverOf(String space, byte[] hashKey) {
    try {
      return servers.at(KeyNames.slotOfBucket(KeyNames.bucket(hashKey)));
    } catch (ServerUnavailableException e) {
      return ""; // no server has the slot
    }
  }

  @Override
  public void missed() {
    reports.counters.missedReads.increment();
  }

  @Override
  public void dropped(String space, Collection<byte[]> hashKeys) {
    reports.counters.droppedPuts.add(hashKeys.size());
    RedisSpaceState state = reports.state(space);
    if (state != null) {
      dropped.add(state, hashKeys);
    }
  }

  /** {@inheritDoc} Costs nothing. */
  @Override
  public Optional<ServerState> serverState() {
    return Optional.of(reports.counters.state(servers.all(), reports.isArmed(), dropped.isEmpty()));
  }

  /** {@inheritDoc} One key for each server, which the server removes after a millisecond. */
  @Override
  public void probeWrite() {
    calls.run(
        () -> {
          Set<Link> probed = Collections.newSetFromMap(new IdentityHashMap<>());
          for (int bucket = 0; bucket < KeyNames.BUCKETS; bucket++) {
            int slot = KeyNames.slotOfBucket(bucket);
            if (probed.add(servers.at(slot))) {
              byte[] key = KeyNames.probed(keys.prefix(), bucket);
              String unused = trips.read(slot, link -> link.call(to -> to.set(key, key, PROBED)));
            }
          }
          return probed;
        });
  }

  /** Counts reads of the servers while the hot tiers are empty. */
  void countRead(int reads) {
    if (!reports.isArmed()) {
      reports.counters.bypassedReads.add(reads);
    }
  }

  @Override
  public @Nullable Space open(String name) {
    Objects.requireNonNull(name, "name");
    return handleOrNull(() -> catalog.opened(name, clock.millis()));
  }

  @Override
  public @Nullable Space openForUpkeep(String name) {
    Objects.requireNonNull(name, "name");
    return handleOrNull(() -> catalog.find(name));
  }

  private @Nullable Space handleOrNull(Supplier<@Nullable CatalogEntry> found) {
    return calls.<@Nullable Space>run(
        () -> {
          CatalogEntry entry = found.get();
          return entry == null ? null : handle(reports.state(entry));
        });
  }

  @Override
  public Space reset(SpaceSpec spec) {
    requireEntries(spec);
    return calls.run(() -> wasReset(catalog.reset(spec, clock.millis())));
  }

  private Space wasReset(RedisCatalog.Replaced replaced) {
    ended(replaced.before());
    return created(replaced.after());
  }

  @Override
  public @Nullable Space reset(SpaceSpec spec, Map<String, String> attributes) {
    requireEntries(spec);
    return calls.<@Nullable Space>run(
        () -> {
          RedisCatalog.Replaced done = catalog.reset(spec, attributes, clock.millis());
          return done == null ? null : wasReset(done);
        });
  }

  private void ended(CatalogEntry entry) {
    reports.end(entry.id());
    generations.removeAll(entry.id());
    garbage.sweepLater();
  }

  @Override
  public @Nullable SpaceInfo describe(String name) {
    Objects.requireNonNull(name, "name");
    return calls.<@Nullable SpaceInfo>run(
        () -> {
          CatalogEntry entry = catalog.find(name);
          return entry == null ? null : entry.infoAt(clock.millis());
        });
  }

  @Override
  public List<SpaceInfo> list(String level) {
    SpaceName.checkLevel(level);
    return calls.run(
        () -> catalog.list(level).stream().map(entry -> entry.infoAt(clock.millis())).toList());
  }

  @Override
  public void setAttributes(String name, Map<String, String> attributes) {
    Objects.requireNonNull(name, "name");
    Map<String, String> copy = Map.copyOf(Objects.requireNonNull(attributes, "attributes"));
    calls.<@Nullable Void>run(
        () -> {
          if (!change(name, entry -> entry.with(copy))) {
            throw RedisCatalog.noSuch(name, "given attributes");
          }
          return null;
        });
  }

  /** Changes the catalog's entry of a name; returns whether there is one. */
  boolean change(String name, UnaryOperator<CatalogEntry> change) {
    CatalogEntry changed = catalog.change(name, change);
    if (changed != null) {
      reports.seen(changed);
    }
    return changed != null;
  }

  @Override
  public boolean drop(String name) {
    Objects.requireNonNull(name, "name");
    return calls.run(
        () -> {
          CatalogEntry dropped = catalog.drop(name);
          RedisSpaceState open = dropped == null ? reports.state(name) : null;
          if (open != null) { // else a name that the server has lost would come back
            lost.putBack(open);
            dropped = catalog.drop(name);
          }
          if (dropped != null) {
            ended(dropped);
          }
          return dropped != null;
        });
  }

  @Override
  public int dropAll(String level) {
    SpaceName.checkLevel(level);
    return calls.run(
        () -> {
          List<CatalogEntry> dropped = catalog.dropAll(level);
          dropped.forEach(this::ended);
          return dropped.size();
        });
  }

  /** {@inheritDoc} A change of a space that this handle has not opened is not reported. */
  @Override
  public Registration onChange(ChangeListener listener) {
    Objects.requireNonNull(listener, "listener");
    calls.checkOpen();
    return reports.add(listener);
  }

  /** Only runs {@code writes}: the server's configuration says what they survive. */
  @Override
  public <R extends @Nullable Object> R withDurability(
      Durability durability, Supplier<? extends R> writes) {
    Objects.requireNonNull(durability, "durability");
    Objects.requireNonNull(writes, "writes");
    calls.checkOpen();
    return writes.get();
  }

  /** Does nothing: the server writes to disk as it is configured. */
  @Override
  public void flush() {
    calls.checkOpen();
  }

  @Override
  public void whenReclaiming(Supplier<List<BooleanSupplier>> layerSweeps) {
    sweeps.add(layerSweeps);
  }

  /** {@inheritDoc} Removes what was cleared or dropped from the memory of the servers. */
  @Override
  public Reclaimed reclaim() {
    calls.checkOpen();
    sweeps.run();
    return calls.run(
        () -> {
          long unused = garbage.sweep(false);
          return Reclaimed.NOTHING;
        });
  }

  @Override
  public ReclaimState reclaimState() {
    calls.checkOpen();
    return EngineUpkeep.super.reclaimState();
  }

  @Override
  public long diskBytes() {
    calls.checkOpen();
    return 0;
  }

  @Override
  public Upkeep upkeep() {
    return upkeep;
  }

  /** Shows all records to the checks. */
  @Override
  public VerifyReport verify(VerifyOptions options, RecordChecks checks) {
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(checks, "checks");
    return RedisVerification.run(this, new Verification(options), checks);
  }

  /** Waits even if the thread is interrupted, as the client itself would not. */
  private void shutdownClient() {
    Object unused =
        Answers.await(
            client.shutdownAsync(0, 2, TimeUnit.SECONDS), CLOSING_PATIENCE, settings.place());
  }

  @Override
  public void close() {
    calls.close();
    new EveryStep()
        .take(servers::end)
        .take(tending::close)
        .take(
            () -> {
              if (replicas != null) {
                replicas.close();
              }
            })
        .take(dropped::close)
        .take(garbage::close)
        .take(reports::close)
        .take(watching::close)
        .take(servers::close)
        .take(this::shutdownClient)
        .take(() -> shutdown(resources))
        .end();
  }
}
