package io.rockpool.jcache;

import io.rockpool.cache.CacheStatistics;
import io.rockpool.cache.HotMemory;
import io.rockpool.internal.access.CacheTransactions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A cache's statistics, as the specification counts them. Striped, so that counting never makes two
 * threads wait; nothing is counted, nor a clock read, while they are off.
 */
final class StatisticsBean implements RockpoolStatisticsMXBean {
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder puts = new LongAdder();
  private final LongAdder removals = new LongAdder();
  private final LongAdder getNanos = new LongAdder();
  private final LongAdder putNanos = new LongAdder();
  private final LongAdder removeNanos = new LongAdder();
  private final LongAdder droppedEvents = new LongAdder();
  private final Supplier<CacheStatistics> kernel;
  private final Supplier<HotMemory> memory;

  /** What the kernel had counted when this was last cleared; null if it never was. */
  private volatile @Nullable CacheStatistics cleared;

  private @Nullable CacheTransactions transactions;

  private volatile boolean enabled;

  /** Statistics that begin now, of a cache on a kernel that counts by itself. */
  StatisticsBean(Supplier<CacheStatistics> kernel, Supplier<HotMemory> memory) {
    this.kernel = kernel;
    this.memory = memory;
  }

  /** From now on counts what a transaction does once it has committed. */
  void join(CacheTransactions newTransactions) {
    transactions = newTransactions;
  }

  void enable(boolean on) {
    enabled = on;
  }

  boolean isEnabled() {
    return enabled;
  }

  /**
   * When an operation begins, to be handed back when it is counted; no time if nothing is counted.
   */
  long begin() {
    return enabled ? System.nanoTime() : 0;
  }

  void count(Tally tally, long begun) {
    gets(tally.hits(), tally.misses(), begun);
    puts(tally.puts(), begun);
    removals(tally.removals(), begun);
  }

  void gets(long found, long missing, long begun) {
    if (enabled && found + missing > 0) {
      long nanos = nanosSince(begun);
      CacheTransactions transaction = transaction();
      if (transaction != null) {
        transaction.afterCommit(() -> addGets(found, missing, nanos));
      } else {
        addGets(found, missing, nanos);
      }
    }
  }

  private void addGets(long found, long missing, long nanos) {
    hits.add(found);
    misses.add(missing);
    getNanos.add(nanos);
  }

  void puts(long number, long begun) {
    count(puts, number, putNanos, begun);
  }

  void removals(long number, long begun) {
    count(removals, number, removeNanos, begun);
  }

  private void count(LongAdder counter, long number, LongAdder times, long begun) {
    if (enabled && number > 0) {
      long nanos = nanosSince(begun);
      CacheTransactions transaction = transaction();
      if (transaction != null) {
        transaction.afterCommit(() -> add(counter, number, times, nanos));
      } else {
        add(counter, number, times, nanos);
      }
    }
  }

  private static void add(LongAdder counter, long number, LongAdder times, long nanos) {
    counter.add(number);
    times.add(nanos);
  }

  /** What puts off counting until the commit; null outside a transaction. */
  private @Nullable CacheTransactions transaction() {
    CacheTransactions joined = transactions;
    return joined != null && joined.isInside() ? joined : null;
  }

  private static long nanosSince(long begun) {
    return begun == 0 ? 0 : System.nanoTime() - begun;
  }

  @Override
  public void clear() {
    for (LongAdder adder :
        new LongAdder[] {
          hits, misses, puts, removals, getNanos, putNanos, removeNanos, droppedEvents
        }) {
      adder.reset();
    }
    cleared = kernel.get();
  }

  @Override
  public long getCacheHits() {
    return hits.sum();
  }

  @Override
  public float getCacheHitPercentage() {
    return percentage(getCacheHits());
  }

  @Override
  public long getCacheMisses() {
    return misses.sum();
  }

  @Override
  public float getCacheMissPercentage() {
    return percentage(getCacheMisses());
  }

  private float percentage(long part) {
    long gets = getCacheGets();
    return gets == 0 ? 0 : 100f * part / gets;
  }

  @Override
  public long getCacheGets() {
    return getCacheHits() + getCacheMisses();
  }

  @Override
  public long getCachePuts() {
    return puts.sum();
  }

  @Override
  public long getCacheRemovals() {
    return removals.sum();
  }

  /**
   * Entries that left for the sake of a disk budget or a maximum size. What leaves memory is still
   * on disk.
   */
  @Override
  public long getCacheEvictions() {
    return since(CacheStatistics::evictions);
  }

  void eventDropped() {
    droppedEvents.increment();
  }

  @Override
  public long getDroppedEvents() {
    return droppedEvents.sum();
  }

  @Override
  public long getStaleHits() {
    return since(CacheStatistics::staleHits);
  }

  @Override
  public long getRefreshes() {
    return since(CacheStatistics::refreshes);
  }

  @Override
  public long getRefreshFailures() {
    return since(CacheStatistics::refreshFailures);
  }

  @Override
  public long getRefreshRejections() {
    return since(CacheStatistics::refreshRejections);
  }

  @Override
  public long getMemoryEntries() {
    return memory.get().entries();
  }

  @Override
  public long getMemoryBytes() {
    return memory.get().bytes();
  }

  @Override
  public long getMemoryMaxBytes() {
    return memory.get().maxBytes();
  }

  @Override
  public boolean isMemoryShared() {
    return memory.get().shared();
  }

  @Override
  public long getPendingWrites() {
    return kernel.get().pendingWrites();
  }

  @Override
  public long getPendingBytes() {
    return kernel.get().pendingBytes();
  }

  @Override
  public long getOldestPendingMillis() {
    return kernel.get().oldestPending().toMillis();
  }

  @Override
  public long getDeadLetters() {
    return kernel.get().deadLetters();
  }

  @Override
  public long getWritten() {
    return since(CacheStatistics::written);
  }

  @Override
  public long getWriteFailures() {
    return since(CacheStatistics::writeFailures);
  }

  private long since(ToLongFunction<CacheStatistics> number) {
    CacheStatistics before = cleared;
    return number.applyAsLong(kernel.get()) - (before == null ? 0 : number.applyAsLong(before));
  }

  @Override
  public float getAverageGetTime() {
    return averageMicros(getNanos, getCacheGets());
  }

  @Override
  public float getAveragePutTime() {
    return averageMicros(putNanos, getCachePuts());
  }

  @Override
  public float getAverageRemoveTime() {
    return averageMicros(removeNanos, getCacheRemovals());
  }

  private static float averageMicros(LongAdder nanos, long times) {
    return times == 0 ? 0 : (float) nanos.sum() / times / TimeUnit.MICROSECONDS.toNanos(1);
  }
}
