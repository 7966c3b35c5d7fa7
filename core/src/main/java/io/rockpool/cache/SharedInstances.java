package io.rockpool.cache;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Gives all readers of an entry the same instance of its value. This matters only for mutable
 * values that the readers share.
 */
final class SharedInstances {
  /**
   * How often a read tries to get the instance that other readers get: for about 50 ms while a
   * write of the stripe runs.
   */
  private static final int MOST_READS = 1000;

  private static final long PAUSE_NANOS = 1_000;

  private final HotTier tier;
  private final Function<EntryKey, HotTierStripe> stripes;
  private final IdleDeadlines deadlines;

  SharedInstances(
      HotTier tier, Function<EntryKey, HotTierStripe> stripes, IdleDeadlines deadlines) {
    this.tier = tier;
    this.stripes = stripes;
    this.deadlines = deadlines;
  }

  /**
   * Reads an entry and puts it into the hot tier. Concurrent readers get the one instance that
   * entered the tier, unless writes to its stripe run for long or never pause.
   *
   * @param reader reads an entry from disk; null if there is none
   */
  @Nullable HotEntry read(EntryKey key, Function<EntryKey, @Nullable HotEntry> reader) {
    HotTierStripe stripe = stripes.apply(key);
    HotEntry[] kept = new HotEntry[1];
    long ticket = stripe.ticket();
    for (int triesLeft = MOST_READS; ; triesLeft--) {
      HotEntry read = reader.apply(key);
      if (read == null
          || triesLeft == 0
          || deadlines.effective(key, read) < read.deadlineMillis()) {
        return read;
      }
      stripe.admit(
          ticket,
          () -> {
            // No read of marks here: the same instance, or one with tags that may have ended.
            HotEntry there = tier.peek(key.hot());
            boolean stays = there != null && (there.tags() == null || there.isOfSameTags(read));
            if (!stays) {
              tier.put(key.hot(), read);
            }
            kept[0] = stays ? there : read;
          });
      if (kept[0] != null) {
        return kept[0];
      }
      LockSupport.parkNanos(PAUSE_NANOS);
      ticket = stripe.awaitTicket(); // however long the thread that puts an entry is held up
    }
  }

  /** The entry in the hot tier; null if there is none or a write ran since the ticket was taken. */
  @Nullable HotEntry unwritten(EntryKey key, long ticket) {
    HotEntry[] there = new HotEntry[1];
    stripes.apply(key).admit(ticket, () -> there[0] = tier.peek(key.hot()));
    return there[0];
  }
}
