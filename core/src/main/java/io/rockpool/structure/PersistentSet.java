package io.rockpool.structure;

import java.util.Collections;
import java.util.Set;

/**
 * A persistent {@link Set}. Thread-safe.
 *
 * <pre>{@code
 * PersistentSet<String> seen = pool.set("crawler/seen", String.class);
 * if (seen.add("https://example.org")) {
 *   System.out.println("new");
 * }
 * seen.add("https://example.org/news", ofDays(1)); // forgotten after a day
 * }</pre>
 *
 * <p><b>Elements</b> follow the rules for keys in {@link PersistentMap}: they are copied, never
 * null, and equal if their encoded bytes are equal. Iteration is weakly consistent and holds no
 * native resources. Adding an element that is already present changes neither it nor its expiry.
 *
 * <p><b>Cost.</b> A contains is one read without a lock. An add or remove is one read and one
 * write. {@link #size} is one read for each of the set's rows. {@link #clear} is one write, however
 * many elements there are.
 *
 * <p><b>Atomicity.</b> Each operation on one element is atomic, and every later read of the element
 * sees it. A bulk operation is atomic only for the elements of one row, as in a {@link
 * PersistentMap}.
 *
 * <p><b>Durability.</b> A completed operation survives {@code kill -9}. Its {@link
 * io.rockpool.store.Durability} says whether it survives a power loss: the level of the set, or of
 * {@link io.rockpool.Rockpool#withDurability} around the call.
 *
 * <p><b>Transactions.</b> Operations of the calling thread join {@link
 * io.rockpool.Rockpool#atomically}, bulk operations and iterations as well. No other thread changes
 * a row between its read or change in the transaction and the commit; {@link #size} and an
 * iteration read all rows. So does {@link #randomElement}. {@link #clear}, {@link #clearAt}, {@link
 * #clearAfter}, {@link #cancelClear} and {@link #snapshot} throw {@link IllegalStateException}
 * there and change nothing. {@link #clearsIn} works, but does not join. Listeners are notified
 * after the commit.
 *
 * <p><b>Errors.</b> They are those of a {@link PersistentMap}. An element that can no longer be
 * decoded stays in the set: an iterator throws {@link io.rockpool.error.UndecodableValueException}
 * and continues after it.
 *
 * @param <E> the type of elements
 */
public final class PersistentSet<E> extends ElementSet<E, NoContent> {
  PersistentSet(EntryCodec<E, NoContent> codec, Records records) {
    this(EntryReads.live(codec, records.buckets()), new EntryWrites<>(codec, records));
  }

  private PersistentSet(EntryReads<E, NoContent> reads, EntryWrites<E, NoContent> writes) {
    super(reads, writes, NoContent.HERE);
  }

  /**
   * A read-only snapshot of the set. O(1).
   *
   * @return the snapshot; the caller closes it
   * @throws UnsupportedOperationException if the store's engine has no snapshots
   */
  public Snapshot<Set<E>> snapshot() {
    return new Snapshot<>(
        space().use().snapshot(),
        taken -> Collections.unmodifiableSet(new PersistentSet<>(reads.of(taken), writes)));
  }
}
