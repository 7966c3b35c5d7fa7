package io.rockpool.redis;

import io.rockpool.error.StoreClosedException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What the handles of one space share in this process: the generations of its buckets as last read,
 * and whether the space has ended. Thread-safe.
 */
final class SpaceState {
  final long id;
  final String name;
  final ScanTails tails = new ScanTails();
  private final AtomicReferenceArray<@Nullable BucketGeneration> generations =
      new AtomicReferenceArray<>(KeyNames.BUCKETS);
  private volatile boolean ended;

  SpaceState(long id, String name) {
    this.id = id;
    this.name = name;
  }

  @Nullable BucketGeneration generation(int bucket) {
    return generations.get(bucket);
  }

  void learn(int bucket, @Nullable BucketGeneration generation) {
    generations.set(bucket, generation);
  }

  /**
   * Forgets all generations, because some were replaced. A put of a replaced one would hide what
   * others have put since, until it is repeated.
   */
  void forgetGenerations() {
    for (int bucket = 0; bucket < KeyNames.BUCKETS; bucket++) {
      learn(bucket, null);
    }
  }

  /** Notes that the name was dropped or reset. */
  void end() {
    ended = true;
  }

  void checkThere() {
    if (ended) {
      throw new StoreClosedException(
          "The space \"" + name + "\" was dropped or reset; open it again.");
    }
  }
}
