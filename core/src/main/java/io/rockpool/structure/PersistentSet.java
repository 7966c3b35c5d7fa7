package io.rockpool.structure;

import java.util.Collections;
import java.util.Set;

/**
 * A {@link Set} that lives on disk and survives the death of its process. Thread-safe.
 *
 * <p>What is said of keys in {@link PersistentMap} holds for elements here: they go in and come out
 * by value, are equal if they encode to equal bytes, and are never null; each operation on one is
 * atomic; iteration is weakly consistent, and holds nothing open. To add an element that is there
 * leaves it as it is, its expiry too.
 *
 * <p><b>Cost.</b> A contains is one read, without a lock. To add or remove is one read and one
 * write. {@link #size} is one read for each of the rows that the set is spread over, {@link #clear}
 * one write, however many elements there are.
 *
 * @param <E> the type of elements
 */
public final class PersistentSet<E> extends ElementSet<E, Present> {
  private final EntryReads<E, Present> reads;
  private final EntryWrites<E, Present> writes;

  PersistentSet(EntryCodec<E, Present> codec, Records records) {
    this(EntryReads.live(codec, records.buckets()), new EntryWrites<>(codec, records));
  }

  private PersistentSet(EntryReads<E, Present> reads, EntryWrites<E, Present> writes) {
    super(reads, writes, Present.HERE);
    this.reads = reads;
    this.writes = writes;
  }

  /**
   * The set as it is now, unchanging and for reading only. O(1).
   *
   * @return it; to be closed
   * @throws UnsupportedOperationException if the store's engine has no snapshots
   */
  public Snapshot<Set<E>> snapshot() {
    return new Snapshot<>(
        space().use().snapshot(),
        taken -> Collections.unmodifiableSet(new PersistentSet<>(reads.of(taken), writes)));
  }
}
