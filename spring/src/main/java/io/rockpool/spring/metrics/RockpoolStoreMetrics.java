package io.rockpool.spring.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.rockpool.Rockpool;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.store.ServerState;
import io.rockpool.store.StoreStatistics;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of a store, each read on request:
 *
 * <ul>
 *   <li>{@code rockpool.block.cache.used}, {@code rockpool.block.cache.capacity} and {@code
 *       rockpool.memtables}: native memory, in bytes
 *   <li>{@code rockpool.heap.budget} and {@code rockpool.heap.used}: what caches without a bound of
 *       their own may keep in memory together, in bytes, and what of it they have taken; of all
 *       stores of the process, unless this one has a budget of its own
 *   <li>{@code rockpool.disk.used}, and of it {@code rockpool.files.size} and {@code
 *       rockpool.log.size}, in bytes
 *   <li>{@code rockpool.compaction.pending}, in bytes, and {@code rockpool.jobs.running}
 *   <li>{@code rockpool.write.delays} and {@code rockpool.write.stops}: how often writes were
 *       slowed down, and had to wait; {@code rockpool.write.stopped}: 1 while they do
 *   <li>{@code rockpool.background.errors}, {@code rockpool.files.damaged} and {@code
 *       rockpool.snapshots}
 *   <li>{@code rockpool.upkeep.failures}: failures of Rockpool's own threads; {@code
 *       rockpool.upkeep.failing}: how many of them fail now
 *   <li>{@code rockpool.backup.verified}: when the newest backup was made that was verified, since
 *       the epoch; 0 without one
 *   <li>{@code rockpool.backup.shipped}: until when changes were shipped to backups, since the
 *       epoch; 0 if the log is not shipped
 *   <li>{@code rockpool.reclaim.pending}, in bytes, of {@code rockpool.reclaim.clears.pending}
 *       times that something was cleared or dropped, of which {@code rockpool.reclaim.clears.held}
 *       wait until a snapshot is closed; {@code rockpool.reclaim.overdue}, how long ago the oldest
 *       record expired that is still there; and what was freed: {@code rockpool.reclaim.clears},
 *       {@code rockpool.reclaim.bytes} and {@code rockpool.reclaim.records}
 *   <li>{@code rockpool.server.connected} and {@code rockpool.server.reported}, 1 or 0, and 1 for a
 *       store without servers; {@code rockpool.server.breaker}, 0 if calls wait for servers, 1
 *       while dropped puts are settled, 2 if calls fail at once; {@code
 *       rockpool.server.connections}, {@code rockpool.server.feed.losses}, {@code
 *       rockpool.server.changes}, {@code rockpool.server.reads.bypassed}, {@code
 *       rockpool.server.reads.missed}, {@code rockpool.server.reads.replica} and {@code
 *       rockpool.server.puts.dropped}: see {@link ServerState}
 * </ul>
 *
 * <p>Reading them does not wait for servers: what a server measures is as of some seconds ago, and
 * stays while the server is away. While a store is not open, its gauges are NaN and its counters 0;
 * reading them does not open it.
 */
public final class RockpoolStoreMetrics implements MeterBinder {
  private final Supplier<? extends @Nullable Rockpool> store;
  private final Iterable<Tag> tags;

  /**
   * The metrics of a store that need not be open.
   *
   * @param store returns null as long as it is not
   */
  public RockpoolStoreMetrics(Supplier<? extends @Nullable Rockpool> store, Iterable<Tag> tags) {
    this.store = Objects.requireNonNull(store, "store");
    this.tags = Objects.requireNonNull(tags, "tags");
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    bytes(
        registry,
        "rockpool.block.cache.used",
        "What was read and is kept",
        of(StoreStatistics::cacheBytes));
    bytes(
        registry,
        "rockpool.block.cache.capacity",
        "How much that may become",
        of(StoreStatistics::cacheCapacityBytes));
    bytes(
        registry,
        "rockpool.memtables",
        "What was written and is not in files",
        of(StoreStatistics::memtableBytes));
    bytes(
        registry,
        "rockpool.heap.budget",
        "What caches may keep in memory together",
        pool -> pool.state().heap().bytes());
    bytes(
        registry,
        "rockpool.heap.used",
        "What of it they have taken",
        pool -> pool.state().heap().takenBytes());
    bytes(
        registry,
        "rockpool.disk.used",
        "All files of the store",
        store -> store.state().diskBytes());
    bytes(
        registry,
        "rockpool.files.size",
        "The files that hold records",
        of(StoreStatistics::fileBytes));
    bytes(registry, "rockpool.log.size", "The write-ahead log", of(StoreStatistics::logBytes));
    bytes(
        registry,
        "rockpool.compaction.pending",
        "What is to be merged with other files",
        of(StoreStatistics::pendingCompactionBytes));
    gauge(
        registry,
        "rockpool.jobs.running",
        "Flushes and merges that run now",
        of(StoreStatistics::runningJobs));
    counter(
        registry,
        "rockpool.write.delays",
        "Times that writes were slowed down",
        of(StoreStatistics::writeDelays));
    counter(
        registry,
        "rockpool.write.stops",
        "Times that writes had to wait",
        of(StoreStatistics::writeStops));
    gauge(
        registry,
        "rockpool.write.stopped",
        "1 while writes wait",
        of(statistics -> statistics.writesStopped() ? 1 : 0));
    counter(
        registry,
        "rockpool.background.errors",
        "Background jobs that failed",
        of(StoreStatistics::backgroundErrors));
    gauge(
        registry,
        "rockpool.files.damaged",
        "Damaged files that are set aside, or had records that are lost",
        of(StoreStatistics::damagedFiles));
    gauge(
        registry,
        "rockpool.snapshots",
        "Snapshots and scans that are open",
        of(StoreStatistics::snapshots));
    counter(
        registry,
        "rockpool.upkeep.failures",
        "Background work of Rockpool's that failed",
        pool -> pool.state().upkeep().failures());
    gauge(
        registry,
        "rockpool.upkeep.failing",
        "Background threads whose last work failed",
        pool -> pool.state().upkeep().failing().size());
    TimeGauge.builder(
            "rockpool.backup.verified",
            () -> read(of(RockpoolStoreMetrics::verifiedBackupSeconds), Double.NaN),
            TimeUnit.SECONDS)
        .tags(tags)
        .description("When the newest verified backup was made, since the epoch")
        .register(registry);
    TimeGauge.builder(
            "rockpool.backup.shipped",
            () -> read(of(RockpoolStoreMetrics::shippedUntilSeconds), Double.NaN),
            TimeUnit.SECONDS)
        .tags(tags)
        .description("Until when changes were shipped to backups, since the epoch")
        .register(registry);
    bindReclaim(registry);
    bindServers(registry);
  }

  private void bindServers(MeterRegistry registry) {
    gauge(
        registry,
        "rockpool.server.connected",
        "1 while all servers are connected",
        server(state -> state.connected() ? 1 : 0, 1));
    gauge(
        registry,
        "rockpool.server.reported",
        "1 while servers report what other processes change",
        server(state -> state.reported() ? 1 : 0, 1));
    gauge(
        registry,
        "rockpool.server.breaker",
        "2 while calls do not wait for servers that are away",
        server(RockpoolStoreMetrics::breaker, 0));
    counter(
        registry,
        "rockpool.server.connections",
        "Connections that were made",
        server(ServerState::connections, 0));
    counter(
        registry,
        "rockpool.server.feed.losses",
        "Times that reports of changes began to be missing",
        server(ServerState::feedLosses, 0));
    counter(
        registry,
        "rockpool.server.changes",
        "Keys that other processes have changed",
        server(ServerState::changes, 0));
    counter(
        registry,
        "rockpool.server.reads.bypassed",
        "Reads of servers while reports were missing",
        server(ServerState::bypassedReads, 0));
    counter(
        registry,
        "rockpool.server.reads.missed",
        "Reads that were misses because no server answered",
        server(ServerState::missedReads, 0));
    counter(
        registry,
        "rockpool.server.reads.replica",
        "Reads that replicas answered",
        server(ServerState::replicaReads, 0));
    counter(
        registry,
        "rockpool.server.puts.dropped",
        "Values that were not stored because no server answered",
        server(ServerState::droppedPuts, 0));
  }

  private static int breaker(ServerState state) {
    return switch (state.breaker()) {
      case CLOSED -> 0;
      case HALF_OPEN -> 1;
      case OPEN -> 2;
    };
  }

  private static ToDoubleFunction<Rockpool> server(
      ToDoubleFunction<ServerState> number, double withoutServers) {
    return pool ->
        pool.state()
            .server()
            .map(state -> (Double) number.applyAsDouble(state))
            .orElse(withoutServers);
  }

  private static double shippedUntilSeconds(StoreStatistics statistics) {
    return statistics.shippedUntil().map(until -> (double) until.getEpochSecond()).orElse(0.0);
  }

  private static double verifiedBackupSeconds(StoreStatistics statistics) {
    return statistics
        .verifiedBackup()
        .map(created -> (double) created.getEpochSecond())
        .orElse(0.0);
  }

  private void bindReclaim(MeterRegistry registry) {
    bytes(
        registry,
        "rockpool.reclaim.pending",
        "Disk that is still to be given back",
        pool -> pool.state().reclaim().pendingBytes());
    gauge(
        registry,
        "rockpool.reclaim.clears.pending",
        "Times of clearing and dropping whose disk that is",
        pool -> pool.state().reclaim().pendingClears());
    gauge(
        registry,
        "rockpool.reclaim.clears.held",
        "Those that wait until a snapshot is closed",
        pool -> pool.state().reclaim().heldClears());
    counter(
        registry,
        "rockpool.reclaim.clears",
        "Times of clearing and dropping whose disk was given back",
        pool -> pool.state().reclaim().total().clears());
    counter(
        registry,
        "rockpool.reclaim.bytes",
        "Disk that was given back",
        pool -> pool.state().reclaim().total().clearedBytes());
    counter(
        registry,
        "rockpool.reclaim.records",
        "Expired records that were removed",
        pool -> pool.state().reclaim().total().expiredRecords());
    TimeGauge.builder(
            "rockpool.reclaim.overdue",
            () -> read(pool -> pool.state().reclaim().overdueMillis(), Double.NaN),
            TimeUnit.MILLISECONDS)
        .tags(tags)
        .description("How long ago the oldest record expired that is still there")
        .register(registry);
  }

  private static ToDoubleFunction<Rockpool> of(ToDoubleFunction<StoreStatistics> number) {
    return pool ->
        pool.state()
            .statistics()
            .map(statistics -> (Double) number.applyAsDouble(statistics))
            .orElse(Double.NaN);
  }

  private void bytes(
      MeterRegistry registry, String name, String description, ToDoubleFunction<Rockpool> number) {
    Gauge.builder(name, () -> read(number, Double.NaN))
        .tags(tags)
        .baseUnit(BaseUnits.BYTES)
        .description(description)
        .register(registry);
  }

  private void gauge(
      MeterRegistry registry, String name, String description, ToDoubleFunction<Rockpool> number) {
    Gauge.builder(name, () -> read(number, Double.NaN))
        .tags(tags)
        .description(description)
        .register(registry);
  }

  private void counter(
      MeterRegistry registry, String name, String description, ToDoubleFunction<Rockpool> number) {
    // The function holds this object, so that the weak reference to it stays.
    FunctionCounter.builder(name, this, metrics -> read(number, 0))
        .tags(tags)
        .description(description)
        .register(registry);
  }

  private double read(ToDoubleFunction<Rockpool> number, double unlessOpen) {
    Rockpool pool = store.get();
    if (pool == null) {
      return unlessOpen;
    }
    try {
      return number.applyAsDouble(pool);
    } catch (IllegalStateException | ServerUnavailableException e) {
      return unlessOpen; // it is closed, or an engine asks a server that is away
    }
  }
}
