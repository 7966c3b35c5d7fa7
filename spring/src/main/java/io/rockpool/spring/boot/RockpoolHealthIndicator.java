package io.rockpool.spring.boot;

import io.rockpool.Rockpool;
import io.rockpool.error.ReadOnlyStoreException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.StoreFullException;
import io.rockpool.internal.access.Internals;
import io.rockpool.store.DiskState;
import io.rockpool.store.ServerState;
import io.rockpool.store.StoreStatistics;
import io.rockpool.store.UpkeepState;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * The health of a store: up if writes succeed. A check makes a write that changes nothing, and
 * forces it and recent writes to disk.
 *
 * <p>A store that rejects every insert is down: its disk is full or below half of the free-space
 * floor, its directory has moved, a write is stuck, or an earlier error ended all writes. A store
 * is {@code OUT_OF_SERVICE} if it rejects inserts into collections only, because its disk budget is
 * used up or the free-space floor is reached: caches, reads and removals go on. {@code error} is
 * the exception that an insert throws. All of these recover with the store.
 *
 * <p>A store that works but has lost data is {@link #DEGRADED} until it is opened again. If a
 * damaged store was moved aside, {@code quarantined} is its directory. If synced changes were lost,
 * {@code changesLost} is their known number and {@code recovery} describes the loss. If records of
 * a damaged file were lost, {@code damagedFiles} is the number of such files, until the names with
 * these records are cleared or dropped. A store is also {@code DEGRADED} while background work
 * fails: {@code failing} has the last failure of each thread, {@code failures} the number of all.
 * {@code verifiedBackup} is the time of the newest backup that was verified; without one there is
 * no such detail. {@code shippedUntil} is the newest moment that was shipped to backups, if the log
 * is shipped.
 *
 * <p>A store on servers is down while {@code connected} is false, and {@code DEGRADED} if its
 * caches answer without them ({@code breaker}), or if changes of other processes are not {@code
 * reported}, so that nothing is kept in memory.
 */
public final class RockpoolHealthIndicator extends AbstractHealthIndicator {
  /**
   * The store takes writes, and has lost something or cannot do its background work. Boot does not
   * know this status: an application whose other parts are up stays up, and is asked no less,
   * unless its {@code management.endpoint.health.status.order} and {@code http-mapping} say
   * otherwise.
   */
  public static final Status DEGRADED =
      new Status(
          "DEGRADED",
          "The Rockpool store works, and has lost something or fails in the background");

  private final Supplier<? extends @Nullable Rockpool> store;

  /**
   * The health of a store that need not be open.
   *
   * @param store returns null as long as nothing has asked for it
   */
  public RockpoolHealthIndicator(Supplier<? extends @Nullable Rockpool> store) {
    super("The Rockpool store does not take writes");
    this.store = Objects.requireNonNull(store, "store");
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    Rockpool pool = store.get();
    if (pool == null) {
      builder.up().withDetail("store", "not opened yet");
      return;
    }
    builder
        .up()
        .withDetail("store", pool.toString())
        .withDetail("diskBytes", pool.state().diskBytes());
    pool.state()
        .statistics()
        .flatMap(StoreStatistics::verifiedBackup)
        .ifPresent(created -> builder.withDetail("verifiedBackup", created));
    pool.state()
        .statistics()
        .flatMap(StoreStatistics::shippedUntil)
        .ifPresent(until -> builder.withDetail("shippedUntil", until));
    pool.state()
        .statistics()
        .map(StoreStatistics::damagedFiles)
        .filter(files -> files > 0)
        .ifPresent(files -> builder.status(DEGRADED).withDetail("damagedFiles", files));
    pool.state()
        .quarantined()
        .ifPresent(path -> builder.status(DEGRADED).withDetail("quarantined", path.toString()));
    pool.state()
        .recovery()
        .filter(report -> report.changesLost() > 0)
        .ifPresent(
            report ->
                builder
                    .status(DEGRADED)
                    .withDetail("changesLost", report.changesLost())
                    .withDetail("recovery", report.message()));
    UpkeepState upkeep = pool.state().upkeep();
    if (!upkeep.failing().isEmpty()) {
      builder
          .status(DEGRADED)
          .withDetail("failing", upkeep.failing())
          .withDetail("failures", upkeep.failures());
    }
    ServerState servers = pool.state().server().orElse(null);
    if (servers != null) {
      add(servers, builder);
    }
    if (servers == null || servers.connected()) { // else it would wait for them
      probe(pool, builder);
    }
  }

  private static void probe(Rockpool pool, Health.Builder builder) {
    try {
      Internals.store(pool).probeWrite();
    } catch (ReadOnlyStoreException e) {
      builder.withDetail("readOnly", true); // a copy to read, which is as it should be
    } catch (StoreFullException e) {
      DiskState disk = pool.state().disk();
      boolean onlyRows = disk.refusing() && !disk.refusingEntries();
      builder.status(onlyRows ? Status.OUT_OF_SERVICE : Status.DOWN).withException(e);
    } catch (RockpoolException e) {
      builder.down(e);
    }
  }

  private static void add(ServerState state, Health.Builder builder) {
    builder
        .withDetail("connected", state.connected())
        .withDetail("reported", state.reported())
        .withDetail("breaker", state.breaker());
    if (!state.connected()) {
      builder.status(state.breaker() == ServerState.Breaker.CLOSED ? Status.DOWN : DEGRADED);
    } else if (!state.reported()) {
      builder.status(DEGRADED);
    }
  }
}
