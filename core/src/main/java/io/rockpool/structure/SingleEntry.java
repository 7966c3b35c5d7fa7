package io.rockpool.structure;

import io.rockpool.engine.Expiry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Common base of values and counters: one entry, with the expiry of the structure. */
abstract sealed class SingleEntry<T> implements PersistentStructure
    permits PersistentValue, PersistentCounter {
  final StructureSpace space;
  final EntryReads<NoContent, T> reads;
  final EntryWrites<NoContent, T> writes;

  SingleEntry(EntryCodec<NoContent, T> codec, Records records) {
    this.space = codec.space();
    this.reads = EntryReads.live(codec, records.buckets());
    this.writes = new EntryWrites<>(codec, records);
  }

  /**
   * Removes the value, decodable or not; a counter is 0 again. One write; allowed in a transaction.
   */
  @Override
  public void clear() {
    writes.remove(NoContent.HERE);
  }

  /**
   * Makes the value expire at {@code when}; a past instant removes it. Replaces the time to live
   * that the value was set with. No effect if there is no value; allowed in a transaction.
   */
  @Override
  public void clearAt(Instant when) {
    writes.expire(NoContent.HERE, space.expiryMillis(when));
  }

  /** Like {@link #clearAt}, {@code ttl} from now. */
  @Override
  public void clearAfter(Duration ttl) {
    writes.expire(NoContent.HERE, space.expiryMillis(ttl));
  }

  /** Removes the value's expiry, whichever method set it. */
  @Override
  public void cancelClear() {
    writes.expire(NoContent.HERE, Expiry.NEVER);
  }

  /** The remaining time to live; empty if there is no value or it does not expire. */
  @Override
  public Optional<Duration> clearsIn() {
    return reads.ttl(NoContent.HERE).filter(ttl -> !ttl.equals(FOREVER));
  }
}
