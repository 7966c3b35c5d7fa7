package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.engine.Durability;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Limits;
import io.rockpool.engine.SortRange;
import io.rockpool.internal.format.CatalogKeyFormat;
import io.rockpool.internal.format.ExpiryIndexFormat;
import io.rockpool.internal.format.Generation;
import io.rockpool.internal.rocksdb.natives.Batch;
import io.rockpool.internal.rocksdb.natives.Chore;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Compactions;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.NativeScan;
import io.rockpool.internal.rocksdb.rows.SpaceCatalog;
import io.rockpool.internal.rocksdb.rows.StoreParts;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Gives back the disk of dead generations. What became of one is kept in memory alone until its
 * record in the catalog goes, as the last thing: so whatever was interrupted begins again.
 *
 * <ol>
 *   <li>A generation is <i>noticed</i> under the catalog's lock, so that every handle knows of its
 *       death. Once each lock of a row was free after that, no one writes to it any more; and who
 *       reads it does so through a snapshot or cursor that is older.
 *   <li>Once each snapshot that is as old is closed, and its death is on the disk, it is
 *       <i>emptied</i>: its records leave the index of what expires one by one; then all others are
 *       deleted as a range, and files of it alone are deleted as files, which spares no snapshot.
 *       Cursors keep the files they read.
 *   <li>Once each snapshot that is older than these deletions is closed, they are <i>settled</i> by
 *       writing the files anew that they are of, provided that much is to be had of it, and the
 *       generation is forgotten. RocksDB does that by itself where more is written there.
 * </ol>
 */
public final class DeadGenerations implements Chore {
  /**
   * From so many bytes on, of all that are dead together, files are written anew to get them back:
   * less is not worth it, as it may take a file or two at each level.
   */
  public static final long SETTLED_BYTES = 16 << 20;

  /** How many keys of the index one step looks at: some milliseconds. */
  private static final int INDEX_KEYS = 4_096;

  private static final byte[] INDEX_START = new byte[Long.BYTES];
  private static final int BATCH_BYTES = 4 << 10;

  private final StoreParts store;
  private final SpaceCatalog catalog;
  private final Compactions compactions;
  private final ReclaimTotals totals;

  /**
   * By generation, when it was noticed: snapshots of that sequence number or before may show it.
   */
  private final Map<Long, Long> noticed = new HashMap<>();

  /** By generation, when it was emptied: snapshots of that number or before keep its records. */
  private final Map<Long, Long> emptied = new HashMap<>();

  /** Those that are being emptied. */
  private final SortedSet<Long> emptying = new TreeSet<>();

  /** Those of them that leave the index, and from where on it is still to be looked at. */
  private final SortedSet<Long> leavingIndex = new TreeSet<>();

  private byte[] indexFrom = INDEX_START;
  private final Deque<Runnable> settling = new ArrayDeque<>();
  private volatile int held;

  DeadGenerations(
      StoreParts store, SpaceCatalog catalog, Compactions compactions, ReclaimTotals totals) {
    this.store = store;
    this.catalog = catalog;
    this.compactions = compactions;
    this.totals = totals;
  }

  /** The dead generations that are still to be forgotten. */
  static SortedSet<Long> all(Database database) {
    SortedSet<Long> dead = new TreeSet<>();
    byte[] prefix = CatalogKeyFormat.deadGenerations();
    byte[] end = Objects.requireNonNull(SortRange.successorOfPrefix(prefix));
    try (NativeScan scan =
        database.scan(database.now(), ColumnFamily.CATALOG, prefix, end, false, true)) {
      while (scan.next()) {
        dead.add(CatalogKeyFormat.deadGenerationOf(scan.key()));
      }
    }
    return dead;
  }

  /** How many waited for a snapshot to be closed when it was last looked. */
  int held() {
    return held;
  }

  @Override
  public boolean step(boolean thorough) {
    if (!leavingIndex.isEmpty()) {
      leaveIndex();
      return true;
    }
    if (!emptying.isEmpty()) {
      empty();
      return true;
    }
    Runnable next = settling.poll();
    if (next != null) {
      settleNext(next);
      return true;
    }
    notice();
    long oldestSnapshot = store.database().oldestSnapshot();
    SortedSet<Long> unseen = olderThan(noticed, oldestSnapshot);
    SortedSet<Long> unkept = olderThan(emptied, oldestSnapshot);
    held = noticed.size() + emptied.size() - unseen.size() - unkept.size();
    if (!unseen.isEmpty()) {
      beginToEmpty(unseen);
      return true;
    }
    return !unkept.isEmpty() && settle(unkept, thorough);
  }

  private void settleNext(Runnable next) {
    try {
      next.run();
    } catch (RuntimeException | Error e) {
      settling.clear(); // they are planned again, and none is forgotten before
      throw e;
    }
  }

  private static SortedSet<Long> olderThan(Map<Long, Long> generations, long sequence) {
    SortedSet<Long> older = new TreeSet<>();
    generations.forEach(
        (generation, at) -> {
          if (at < sequence) {
            older.add(generation);
          }
        });
    return older;
  }

  private void notice() {
    Database database = store.database();
    catalog.undisturbed(
        () -> {
          SortedSet<Long> dead = all(database);
          dead.removeAll(emptied.keySet());
          // Who takes a snapshot looks at the generation again after that, and finds it dead.
          long now = database.latestSequence();
          dead.forEach(generation -> noticed.putIfAbsent(generation, now));
          return dead;
        });
  }

  private void beginToEmpty(SortedSet<Long> generations) {
    store.locks().passAll();
    // The files that are deleted do not come back; so neither must what they were of.
    store.writePath().sync();
    emptying.addAll(generations);
    // Their rows are still there, so this holds also where it was interrupted before.
    if (DeadRange.of(generations).stream().anyMatch(range -> isIn(range, ColumnFamily.ROWS))) {
      leavingIndex.addAll(generations);
      indexFrom = INDEX_START;
    }
  }

  private boolean isIn(DeadRange range, ColumnFamily family) {
    Database database = store.database();
    return database.approximateBytes(family, range.from(), range.to()) > 0
        || database.hasRecords(family, range.from(), range.to());
  }

  private void empty() {
    for (DeadRange range : DeadRange.of(emptying)) {
      for (ColumnFamily family : DeadRange.FAMILIES) {
        if (isIn(range, family)) {
          empty(range, family);
        }
      }
    }
    // A snapshot of now or later sees the deletions.
    long before = store.database().latestSequence() - 1;
    emptying.forEach(generation -> emptied.put(generation, before));
    noticed.keySet().removeAll(emptying);
    emptying.clear();
  }

  /** Deletes all as one first, so that no scan ever sees a part. */
  private void empty(DeadRange range, ColumnFamily family) {
    Database database = store.database();
    totals.addClearedBytes(database.approximateFileBytes(family, range.from(), range.to()));
    Batch batch = newBatch();
    batch.deleteRange(family, range.from(), range.to());
    store.writePath().write(batch, Durability.BUFFERED);
    // Where large values have files of their own, only compactions find out which are of no use.
    if (database.blobBytes(family) == 0) {
      store.writePath().deleteFiles(family, range.from(), range.to());
    }
  }

  /** Deletes index records of these generations, which no one adds to any more. */
  private void leaveIndex() {
    Batch batch = newBatch();
    boolean more = true;
    try (NativeScan scan = index()) {
      for (int left = INDEX_KEYS; left > 0 && batch.length() < Limits.MAX_BATCH_BYTES; left--) {
        more = scan.next();
        if (!more) {
          break;
        }
        byte[] key = scan.key();
        indexFrom = Arrays.copyOf(key, key.length + 1);
        if (leavingIndex.contains(Generation.of(ExpiryIndexFormat.recordKey(key)))) {
          batch.delete(ColumnFamily.EXPIRIES, key);
        }
      }
    }
    if (!batch.isEmpty()) {
      store.writePath().write(batch, Durability.BUFFERED);
    }
    if (!more) {
      leavingIndex.clear();
    }
  }

  private NativeScan index() {
    byte[] end = ExpiryIndexFormat.behind(Expiry.MAX_MILLIS);
    Database database = store.database();
    return database.scan(database.now(), ColumnFamily.EXPIRIES, indexFrom, end, false, true);
  }

  /** Plans to settle what is worth it, and forgets what needs no settling. */
  private boolean settle(SortedSet<Long> generations, boolean thorough) {
    SortedSet<Long> left = new TreeSet<>();
    long bytes = 0;
    for (DeadRange range : DeadRange.of(generations)) {
      long rangeBytes = fileBytes(range);
      bytes += rangeBytes;
      if (rangeBytes > 0 || isBeingWritten()) {
        left.addAll(generations.subSet(range.first(), range.last() + 1));
      }
    }
    SortedSet<Long> done = new TreeSet<>(generations);
    done.removeAll(left);
    if (thorough || bytes >= SETTLED_BYTES) {
      for (DeadRange range : DeadRange.of(left)) {
        DeadRange.FAMILIES.forEach(
            family -> settling.add(() -> compactions.settle(family, range.from(), range.to())));
      }
      settling.add(() -> forget(left));
    }
    forget(done);
    return !settling.isEmpty();
  }

  /** Whether files are about to be made of what was in memory before the deletion, without it. */
  private boolean isBeingWritten() {
    return DeadRange.FAMILIES.stream().anyMatch(store.database()::isBeingWritten);
  }

  private long fileBytes(DeadRange range) {
    return DeadRange.FAMILIES.stream()
        .mapToLong(
            family -> store.database().approximateFileBytes(family, range.from(), range.to()))
        .sum();
  }

  private void forget(Collection<Long> generations) {
    if (generations.isEmpty() || compactions.isStopped()) {
      return;
    }
    Batch batch = newBatch();
    for (long generation : generations) {
      batch.delete(ColumnFamily.CATALOG, CatalogKeyFormat.deadGeneration(generation));
    }
    store.writePath().write(batch, Durability.BUFFERED);
    emptied.keySet().removeAll(generations);
    totals.addCleared(generations.size());
  }

  private Batch newBatch() {
    return new Batch(store.database().familyIds(), BATCH_BYTES);
  }
}
