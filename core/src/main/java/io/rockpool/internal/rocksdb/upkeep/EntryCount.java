package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Space;
import io.rockpool.internal.engine.Evictor;
import io.rockpool.internal.engine.Evictor.EntryBound;
import io.rockpool.internal.format.EntryKeyFormat;
import io.rockpool.internal.format.Generation;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.EntriesLayout;
import io.rockpool.internal.rocksdb.natives.NativeScan;
import io.rockpool.internal.rocksdb.natives.SplitSearch;
import io.rockpool.internal.rocksdb.rows.SpaceState;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Counts the entries of a space, and takes it down to so many, in steps, by one thread at a time.
 *
 * <p>A put does not know whether it replaces an entry, so all are counted by a walk, and at most as
 * many more are there as were put since. Where that is beyond the bound, they are counted again,
 * and only what is too much then is evicted: by a hand that goes round over the keys, as in {@link
 * SpaceEviction}.
 */
final class EntryCount {
  /** How many entries one step looks at: some milliseconds. */
  private static final int PAGE_ENTRIES = 4_096;

  /** How many bytes of records one step reads at most, but for the last. */
  private static final int PAGE_BYTES = 4 << 20;

  /** So large a part of the bound is put before all are counted again, while there are writes. */
  private static final int PUT_PARTS = 16;

  /** After so long all are counted again, if something was written. */
  private static final long PERIOD_MILLIS = Duration.ofMinutes(1).toMillis();

  /** Where nothing is bounded, counting may take one part in so many of a processor's time. */
  private static final int REST_FACTOR = 100;

  /** After so many ends of the key space, the hand was everywhere once. */
  private static final int SPARING_ENDS = 2;

  /** In so many places the hand may begin. */
  private static final int PLACES = 16;

  private static final long NOT_KNOWN = -1;

  private final Database database;
  private final InstantSource clock;
  private final SpaceState state;
  private final Space handle;
  private final Evictor evictor;

  /** How many there were when they were counted last, less those evicted since. */
  private volatile long counted = NOT_KNOWN;

  private long countedPuts;
  private long countedSequence;
  private long countedMillis;
  private long countingNanos;
  private long lookedPuts;

  private boolean counting;
  private long generation;
  private long sum;
  private byte @Nullable [] countFrom;

  private long excess;
  private byte @Nullable [] hand;
  private boolean handPlaced;
  private int ends;

  EntryCount(
      Database database, InstantSource clock, SpaceState state, Space handle, Evictor evictor) {
    this.database = database;
    this.clock = clock;
    this.state = state;
    this.handle = handle;
    this.evictor = evictor;
  }

  SpaceState state() {
    return state;
  }

  /** How many entries there are, as last counted. */
  OptionalLong entries() {
    long known = counted;
    return known == NOT_KNOWN ? OptionalLong.empty() : OptionalLong.of(known);
  }

  /**
   * Plans what is to be done; says whether there is something.
   *
   * @param bound how many entries there may be; null for any number
   * @param thorough whether they are counted in any case, if something was written
   */
  boolean plan(@Nullable EntryBound bound, boolean thorough) {
    long puts = bound == null ? 0 : bound.puts();
    if (isDue(bound, puts, thorough)) {
      counting = true;
      generation = state.generationIfAny();
      sum = 0;
      countFrom = null;
      countingNanos = 0;
      countedPuts = puts;
      countedSequence = database.latestSequence();
      countedMillis = clock.millis();
    }
    lookedPuts = puts;
    return counting || excess > 0;
  }

  private boolean isDue(@Nullable EntryBound bound, long puts, boolean thorough) {
    if (counted == NOT_KNOWN) {
      return true;
    }
    long age = Math.abs(clock.millis() - countedMillis);
    long rest = bound == null ? REST_FACTOR * Duration.ofNanos(countingNanos).toMillis() : 0;
    boolean written = database.latestSequence() != countedSequence;
    if (written && (thorough || age >= Math.max(PERIOD_MILLIS, rest))) {
      return true;
    }
    long more = puts - countedPuts;
    boolean enough = bound != null && more >= bound.entries() / PUT_PARTS;
    boolean maybeTooMany = bound != null && counted + more > bound.entries();
    return maybeTooMany && (enough || more <= 0 || puts == lookedPuts);
  }

  /** Does a step of what was planned; says whether there is more to do. */
  boolean step(@Nullable EntryBound bound) {
    if (!counting && excess <= 0) {
      return false;
    }
    if (state.generationIfAny() != generation) { // it was cleared: from the beginning
      counting = false;
      excess = 0;
      counted = NOT_KNOWN;
      handPlaced = false;
      return false;
    }
    if (!counting) {
      evictPage();
    } else if (countPage() && bound != null) {
      excess = Math.max(0, counted - bound.entries());
      ends = 0;
    }
    return counting || excess > 0;
  }

  /** Counts some; says whether these were the last. */
  private boolean countPage() {
    long begun = System.nanoTime();
    Page page = generation == SpaceState.NO_RECORDS ? Page.EMPTY : page(countFrom, PAGE_ENTRIES);
    sum += page.live;
    countFrom = page.next;
    countingNanos += System.nanoTime() - begun;
    if (countFrom == null) {
      counting = false;
      counted = sum;
    }
    return !counting;
  }

  private void evictPage() {
    if (!handPlaced) {
      handPlaced = true;
      hand = somewhere();
    }
    Page page = page(hand, (int) Math.min(PAGE_ENTRIES, excess));
    hand = page.next; // before: a page that fails is passed
    int went = evictor.evict(handle, page.keys, ends >= SPARING_ENDS);
    counted = Math.max(0, counted - went);
    excess -= went;
    ends += hand == null ? 1 : 0;
    if (ends >= 2 * SPARING_ENDS) {
      excess = 0; // all was shown, and there is no more
    }
  }

  /** A random key: else a process that restarts often would always begin at the first key. */
  private byte @Nullable [] somewhere() {
    List<byte[]> splits =
        new SplitSearch(database, database.now(), ColumnFamily.ENTRIES, generation).splits(PLACES);
    int at = ThreadLocalRandom.current().nextInt(splits.size() + 1);
    return at == splits.size() ? null : splits.get(at);
  }

  /**
   * Some entries.
   *
   * @param keys of those that have not expired
   * @param next from where to go on; null behind the last
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Page(List<byte[]> keys, long live, byte @Nullable [] next) {
    static final Page EMPTY = new Page(List.of(), 0, null);
  }

  private Page page(byte @Nullable [] from, int most) {
    byte[] first = from == null ? Generation.prefix(generation) : from;
    byte[] end = Generation.prefix(generation + 1);
    List<byte[]> keys = new ArrayList<>();
    long bytes = 0;
    try (NativeScan scan =
        database.scan(database.now(), ColumnFamily.ENTRIES, first, end, false, true)) {
      while (scan.next()) {
        if (keys.size() == most || bytes >= PAGE_BYTES) {
          return new Page(keys, keys.size(), scan.key());
        }
        int length = scan.readValue();
        bytes += length;
        long expiryMillis = EntriesLayout.INSTANCE.expiryMillis(scan.value(), length);
        if (!Expiry.isPast(expiryMillis, clock)) {
          keys.add(EntryKeyFormat.hashKey(scan.key()));
        }
      }
    }
    return new Page(keys, keys.size(), null);
  }
}
