package io.rockpool.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import io.rockpool.error.StoreClosedException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What the handles of one space share in this process: its catalog entry and the generations of its
 * buckets as last read, and whether the space has ended. Thread-safe.
 */
final class RedisSpaceState {
  /** Generations are read as often as this, so that no server evicts them as unused. */
  private static final long WATCHED_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  final long id;
  final String name;
  final ScanTails tails = new ScanTails();
  private final AtomicReferenceArray<@Nullable BucketGeneration> generations =
      new AtomicReferenceArray<>(KeyNames.BUCKETS);
  private final AtomicReferenceArray<@Nullable Watched> watched =
      new AtomicReferenceArray<>(KeyNames.BUCKETS);
  private final AtomicLong renewals = new AtomicLong();
  private final AtomicIntegerArray replacements = new AtomicIntegerArray(KeyNames.BUCKETS);
  private volatile CatalogEntry entry;
  private volatile long renewedNanos = KeyUses.nowNanos();
  private volatile boolean ended;

  /** The space that has the name now, if that holds the same. */
  private volatile @Nullable RedisSpaceState successor;

  RedisSpaceState(CatalogEntry entry) {
    this.id = entry.id();
    this.name = entry.info().name();
    this.entry = entry;
  }

  /**
   * A generation that was read on a connection which reports its changes. A server sends a report
   * before the answers to what it runs after the change.
   *
   * @param renewals the number of renewals before the read
   * @param replacements how often the generation had been replaced when the answer arrived
   */
  record Watched(
      BucketGeneration generation,
      StatefulRedisConnection<byte[], byte[]> connection,
      long renewals,
      int replacements,
      long readNanos) {}

  /** How often generations were forgotten. */
  long renewals() {
    return renewals.get();
  }

  /** Remembers a generation as read on a connection that reports; null forgets it. */
  void watch(int bucket, @Nullable Watched read) {
    watched.set(bucket, read);
  }

  /** The generation that was read on a connection a moment ago, unless a change was reported. */
  @Nullable Watched watched(
      int bucket, @Nullable StatefulRedisConnection<byte[], byte[]> connection) {
    Watched read = watched.get(bucket);
    return read != null
            && read.connection == connection
            && read.renewals == renewals.get()
            && System.nanoTime() - read.readNanos < WATCHED_NANOS
        ? read
        : null;
  }

  @Nullable BucketGeneration generation(int bucket) {
    return generations.get(bucket);
  }

  void learn(int bucket, @Nullable BucketGeneration generation) {
    generations.set(bucket, generation);
  }

  /** The entry of the catalog, and the era of that catalog, as last seen. */
  CatalogEntry entry() {
    return entry;
  }

  /** Remembers the entry as the catalog has it. */
  void seen(CatalogEntry now) {
    entry = now;
  }

  /**
   * How often the generation of a bucket was replaced, as far as this process knows. The thread of
   * a connection counts reports in their order with the answers. A lost feed does not count.
   */
  int replacements(int bucket) {
    return replacements.get(bucket);
  }

  /** Notes that the generation of a bucket may have been replaced. */
  void replaced(int bucket) {
    int unused = replacements.incrementAndGet(bucket);
  }

  /** Notes that all generations may have been replaced. */
  void replacedAll() {
    for (int bucket = 0; bucket < KeyNames.BUCKETS; bucket++) {
      replaced(bucket);
    }
    forgetGenerations();
  }

  /**
   * Forgets all generations, because some may have been replaced. A put of a replaced one would
   * hide what others have put since, until it is repeated.
   */
  void forgetGenerations() {
    long unused = renewals.incrementAndGet();
    for (int bucket = 0; bucket < KeyNames.BUCKETS; bucket++) {
      learn(bucket, null);
    }
    renewedNanos = KeyUses.nowNanos();
  }

  /** When entries were last changed that may be any, by the time of {@link KeyUses}. */
  long renewedNanos() {
    return renewedNanos;
  }

  /** Notes that the name was dropped or reset. */
  void end() {
    ended = true;
    tails.end();
  }

  /** Notes that another space has the name, and that handles continue there. */
  void moveTo(RedisSpaceState next) {
    successor = next;
    ended = true;
    tails.end();
  }

  /** The space where handles of this one continue: itself, if it has not moved. */
  RedisSpaceState newest() {
    RedisSpaceState newest = this;
    for (RedisSpaceState next = successor; next != null; next = next.successor) {
      newest = next;
    }
    return newest;
  }

  boolean isEnded() {
    return ended;
  }

  /**
   * Throws if the space has ended.
   *
   * @throws SpaceMovedException if the handles continue with another space
   */
  void checkThere() {
    if (!ended) {
      return;
    }
    if (successor != null) {
      throw new SpaceMovedException();
    }
    throw new StoreClosedException(
        "The space \"" + name + "\" was dropped or reset; open it again.");
  }
}
