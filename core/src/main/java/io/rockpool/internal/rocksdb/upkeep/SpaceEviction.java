package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.engine.Space;
import io.rockpool.internal.engine.Evictor;
import io.rockpool.internal.format.EntryKeyFormat;
import io.rockpool.internal.format.Generation;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Compactions;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.EntriesLayout;
import io.rockpool.internal.rocksdb.natives.NativeScan;
import io.rockpool.internal.rocksdb.natives.SplitSearch;
import io.rockpool.internal.rocksdb.rows.SpaceState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Reduces a space of entries to a number of bytes, in steps, by one thread at a time.
 *
 * <p>Clock eviction, starting at a random key: it walks over the keys and evicts entries at its
 * position. So a passed entry stays for a whole round, and no key is favoured. The evicted entries
 * are neighbours, so few files must be compacted to reclaim their space. No file is deleted as
 * such: it may contain deletions newer than records in other files, and these records would return.
 *
 * <p>The measured size includes overwritten records in files. If there may be many, they are
 * compacted away first, and only the remaining excess is evicted.
 */
final class SpaceEviction {
  /** The most entries that one step evicts: some milliseconds. */
  private static final int PAGE_ENTRIES = 1_024;

  /** The most bytes of keys that one step holds in memory. */
  private static final int PAGE_KEY_BYTES = 1 << 20;

  /** The bytes of files that one step compacts: a second or two. */
  private static final long MERGED_BYTES = 128L << 20;

  /**
   * If a space has grown by one part in so many since its last compaction, it is compacted again
   * before any eviction. So at most this many bytes are compacted per byte written, and garbage
   * does not cause eviction of live entries below four fifths of the budget.
   */
  private static final int MERGED_GROWTH = 4;

  /** After this many ends of the key space, the walk has passed every key once. */
  private static final int SPARING_ENDS = 2;

  /** How much more than needed may be evicted: sizes are estimates anyway. */
  private static final double TOLERANCE = 1.1;

  /** The number of possible starting positions. */
  private static final int PLACES = 16;

  /**
   * A space up to this size is compacted before any eviction, however far above its limit: some
   * seconds of work.
   */
  private static final long SOON_MERGED_BYTES = 8 * MERGED_BYTES;

  private static final long NOT_KNOWN = -1;
  private static final long NOT_HELD = -1;

  private final Database database;
  private final SpaceState state;
  private final Space handle;
  private final Compactions compactions;
  private final Evictor evictor;

  /** Its size when nothing in it was overwritten, less what was evicted since. */
  private long cleanBytes = NOT_KNOWN;

  /**
   * Snapshots up to this sequence number keep evicted entries on disk, so further eviction is
   * useless.
   */
  private long heldAt = NOT_HELD;

  /** The key to continue after; null for the start. */
  private byte @Nullable [] hand;

  private boolean handPlaced;
  private double wantedBytes;
  private int ends;
  private long removed;
  private final Deque<KeyRange> emptied = new ArrayDeque<>();
  private final Deque<Runnable> merging = new ArrayDeque<>();

  /** Whether a compaction of the whole space, before any eviction, is planned. */
  private boolean mergingAll;

  /** Whether no eviction was planned since the whole space was compacted. */
  private boolean justMerged;

  SpaceEviction(
      Database database, SpaceState state, Space handle, Compactions compactions, Evictor evictor) {
    this.database = database;
    this.state = state;
    this.handle = handle;
    this.compactions = compactions;
    this.evictor = evictor;
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record KeyRange(byte[] from, byte[] to, long bytes) {}

  SpaceState state() {
    return state;
  }

  /** About how many bytes the space uses, in files and in memory. */
  long bytes() {
    long generation = state.generationIfAny();
    return generation == SpaceState.NO_RECORDS
        ? 0
        : database
            .measures()
            .approximateBytes(ColumnFamily.ENTRIES, first(generation), end(generation));
  }

  private long fileBytes() {
    long generation = state.generationIfAny();
    return generation == SpaceState.NO_RECORDS ? 0 : fileBytes(first(generation), end(generation));
  }

  private long fileBytes(byte[] from, byte[] to) {
    return database.measures().approximateFileBytes(ColumnFamily.ENTRIES, from, to);
  }

  private long liveBytesInFiles() {
    return (long) (fileBytes() * database.measures().liveShare(ColumnFamily.ENTRIES));
  }

  private static byte[] first(long generation) {
    return Generation.prefix(generation);
  }

  private static byte[] end(long generation) {
    return Generation.prefix(generation + 1);
  }

  /**
   * Plans to reduce the space to {@code target} if it exceeds {@code limit}; returns whether there
   * is work. Call it again after the work is done.
   */
  boolean plan(long limit, long target) {
    long bytes = bytes();
    if (bytes <= limit || isHeld()) {
      return false;
    }
    if (cleanBytes == NOT_KNOWN) {
      cleanBytes = liveBytesInFiles();
    }
    boolean grown =
        bytes - cleanBytes > cleanBytes / MERGED_GROWTH && !(justMerged && cleanBytes > limit);
    justMerged = false;
    if (grown && !isTooFarBeyond(limit, bytes)) {
      planMerge(bytes);
      return true;
    }
    if (ends > 0 && removed == 0) {
      ends = 0; // all were shown and none evicted: not again immediately
      return false;
    }
    planEviction(target);
    return true;
  }

  /**
   * Measures in files only. In memory, RocksDB multiplies a number of records by the mean size of
   * all: with the first evicted entries, each a short deletion, the next ones would measure less
   * than they free, and more would be evicted than needed, up to everything.
   */
  private void planEviction(long target) {
    ends = 0;
    removed = 0;
    merging.add(
        () -> {
          database.flush(List.of(ColumnFamily.ENTRIES), /* waits= */ true);
          wantedBytes = fileBytes() - target;
        });
  }

  /**
   * Whether a space is so large, and so far above its limit, that compacting it first would take
   * too long.
   */
  private static boolean isTooFarBeyond(long limit, long bytes) {
    return bytes > SOON_MERGED_BYTES && bytes - limit > limit / MERGED_GROWTH;
  }

  /** Whether a snapshot still keeps the last evicted entries on disk. */
  private boolean isHeld() {
    if (heldAt != NOT_HELD && database.measures().oldestSnapshot() > heldAt) {
      heldAt = NOT_HELD;
      cleanBytes = 0; // compact first what the snapshot kept
    }
    return heldAt != NOT_HELD;
  }

  private void planMerge(long bytes) {
    long generation = state.generationIfAny();
    byte[] from = first(generation);
    for (byte[] last : splits(generation, (int) (1 + bytes / MERGED_BYTES))) {
      planMerge(from, behind(last));
      from = behind(last);
    }
    planMerge(from, end(generation));
    mergingAll = true;
    long before = database.latestSequence();
    merging.add(
        () -> {
          mergingAll = false;
          cleanBytes = fileBytes(); // what was written meanwhile is in memory, and may be garbage
          justMerged = true;
          noteHeld(before);
        });
  }

  private void planMerge(byte[] from, byte[] to) {
    merging.add(() -> compactions.settle(ColumnFamily.ENTRIES, from, to));
  }

  private List<byte[]> splits(long generation, int parts) {
    return new SplitSearch(database, database.now(), ColumnFamily.ENTRIES, generation)
        .splits(parts);
  }

  private void noteHeld(long sequence) {
    heldAt = database.measures().oldestSnapshot() <= sequence ? sequence : NOT_HELD;
  }

  /** Does a planned step; returns whether there was one. */
  boolean step(long limit) {
    if (mergingAll && isTooFarBeyond(limit, bytes())) {
      merging.clear();
      mergingAll = false;
    }
    Runnable merge = merging.poll();
    if (merge != null) {
      try {
        merge.run();
      } catch (RuntimeException | Error e) {
        merging.clear(); // it is planned again
        mergingAll = false;
        throw e;
      }
      return true;
    }
    if (wantedBytes <= 0) {
      return false;
    }
    evictPage();
    if (wantedBytes <= 0 || ends >= 2 * SPARING_ENDS) {
      wantedBytes = 0;
      planToGiveBack();
    }
    return true;
  }

  private void evictPage() {
    long generation = state.generationIfAny();
    if (generation == SpaceState.NO_RECORDS) {
      wantedBytes = 0;
      return;
    }
    if (!handPlaced) {
      handPlaced = true;
      hand = somewhere(generation);
    }
    byte[] from =
        hand == null
            ? first(generation)
            : EntriesLayout.INSTANCE.successor(generation, hand, Space.NO_SORT_KEY);
    List<byte[]> keys = page(from, end(generation));
    if (keys.isEmpty()) {
      hand = null;
      ends++;
      return;
    }
    long bytes = fit(keys, from);
    byte[] last = keys.get(keys.size() - 1);
    hand = EntryKeyFormat.hashKey(last); // set before: a page that fails is skipped
    int went =
        evictor.evict(
            handle, keys.stream().map(EntryKeyFormat::hashKey).toList(), ends >= SPARING_ENDS);
    if (went > 0) {
      double freed = (double) bytes * went / keys.size();
      removed += went;
      wantedBytes -= freed;
      cleanBytes = Math.max(0, cleanBytes - (long) freed);
      noteEmptied(from, behind(last), bytes);
    }
  }

  /**
   * A random key: otherwise a process that restarts often would always begin with the first keys.
   */
  private byte @Nullable [] somewhere(long generation) {
    List<byte[]> splits = splits(generation, PLACES);
    int at = ThreadLocalRandom.current().nextInt(splits.size() + 1);
    return at == splits.size() ? null : EntryKeyFormat.hashKey(splits.get(at));
  }

  private List<byte[]> page(byte[] from, byte[] to) {
    List<byte[]> keys = new ArrayList<>();
    try (NativeScan scan =
        database.scan(database.now(), ColumnFamily.ENTRIES, from, to, false, true)) {
      for (int bytes = 0; keys.size() < PAGE_ENTRIES && bytes < PAGE_KEY_BYTES && scan.next(); ) {
        byte[] key = scan.key();
        keys.add(key);
        bytes += key.length;
      }
    }
    return keys;
  }

  /**
   * Removes the last of {@code keys} if together they exceed the wanted bytes; returns the bytes of
   * the rest.
   */
  private long fit(List<byte[]> keys, byte[] from) {
    while (true) {
      long keyBytes = keys.stream().mapToLong(key -> key.length).sum();
      long bytes = Math.max(keyBytes, fileBytes(from, behind(keys.get(keys.size() - 1))));
      if (bytes <= TOLERANCE * wantedBytes || keys.size() == 1) {
        return bytes;
      }
      int share = (int) Math.ceil(keys.size() * wantedBytes / bytes);
      keys.subList(Math.min(share, keys.size() - 1), keys.size()).clear();
    }
  }

  private void noteEmptied(byte[] from, byte[] to, long bytes) {
    KeyRange before = emptied.peekLast();
    if (before != null && Arrays.equals(before.to, from) && before.bytes < MERGED_BYTES) {
      emptied.removeLast();
      emptied.add(new KeyRange(before.from, to, before.bytes + bytes));
    } else {
      emptied.add(new KeyRange(from, to, bytes));
    }
  }

  private void planToGiveBack() {
    long last = database.latestSequence();
    for (KeyRange range = emptied.poll(); range != null; range = emptied.poll()) {
      planMerge(range.from, range.to);
    }
    merging.add(() -> noteHeld(last));
  }

  private static byte[] behind(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }
}
