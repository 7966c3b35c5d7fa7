package io.rockpool.redis;

import io.rockpool.error.StoreClosedException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What the handles of one space share in this process: its catalog entry and the generations of its
 * buckets as last read, and whether the space has ended. Thread-safe.
 */
final class SpaceState {
  final long id;
  final String name;
  final ScanTails tails = new ScanTails();
  private final AtomicReferenceArray<@Nullable BucketGeneration> generations =
      new AtomicReferenceArray<>(KeyNames.BUCKETS);
  private volatile CatalogEntry entry;
  private volatile long renewedNanos = KeyUses.nowNanos();
  private volatile boolean ended;

  /** The space that has the name now, if that holds the same. */
  private volatile @Nullable SpaceState successor;

  SpaceState(CatalogEntry entry) {
    this.id = entry.id();
    this.name = entry.info().name();
    this.entry = entry;
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
   * Forgets all generations, because some were replaced. A put of a replaced one would hide what
   * others have put since, until it is repeated.
   */
  void forgetGenerations() {
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
  }

  /** Notes that another space has the name, and that handles continue there. */
  void moveTo(SpaceState next) {
    successor = next;
    ended = true;
  }

  /** The space where handles of this one continue: itself, if it has not moved. */
  SpaceState newest() {
    SpaceState newest = this;
    for (SpaceState next = successor; next != null; next = next.successor) {
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
