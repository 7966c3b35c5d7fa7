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

  /** Like {@link #clearAt(Instant)}, {@code ttl} from now. */
  @Override
  public void clearAfter(Duration ttl) {
    writes.expire(NoContent.HERE, space.expiryMillis(ttl));
  }

  /**
   * Makes the value expire at {@code when} if the condition holds; a past instant removes it.
   * Redis' {@code PEXPIREAT} with {@code NX}, {@code XX}, {@code GT} or {@code LT}. Atomic; one
   * read, and one write if it holds. Allowed in a transaction. An expired value counts as none.
   *
   * @return whether there was a value, and the condition held
   */
  @Override
  public boolean clearAt(Instant when, ExpiryCondition condition) {
    return writes.expire(NoContent.HERE, space.expiryMillis(when), condition);
  }

  /**
   * Like {@link #clearAt(Instant, ExpiryCondition)}, {@code ttl} from now. Redis' {@code PEXPIRE}.
   *
   * <pre>{@code
   * visits.clearAfter(ofDays(1), ExpiryCondition.ABSENT); // a day from the first call on
   * }</pre>
   */
  @Override
  public boolean clearAfter(Duration ttl, ExpiryCondition condition) {
    return writes.expire(NoContent.HERE, space.expiryMillis(ttl), condition);
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
