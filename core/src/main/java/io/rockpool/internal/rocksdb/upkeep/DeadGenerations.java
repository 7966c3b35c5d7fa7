package io.rockpool.internal.rocksdb.upkeep;

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
import io.rockpool.internal.rocksdb.natives.WritePath;
import io.rockpool.internal.rocksdb.rows.RowLocks;
import io.rockpool.internal.rocksdb.rows.SpaceCatalog;
import io.rockpool.store.Durability;
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
 * Reclaims the disk space of dead generations. The progress of each is only in memory; its record
 * in the catalog is deleted last. So interrupted work starts again.
 *
 * <ol>
 *   <li>A generation is <i>noticed</i> under the catalog's lock, so every handle knows that it is
 *       dead. Once each row lock was free after that, no thread writes to it, and only older
 *       snapshots and cursors read it.
 *   <li>Once all these snapshots are closed, and its death is on disk, the generation is
 *       <i>emptied</i>. Its records in the expiry index are deleted one by one. Then a range
 *       deletion deletes all other records, and files with only its records are deleted, which
 *       ignores snapshots. Cursors keep the files they read.
 *   <li>Once every snapshot older than these deletions is closed, the deletions are <i>settled</i>:
 *       the affected files are compacted, if enough space is to be gained. Then the generation is
 *       forgotten. RocksDB compacts these files anyway if more is written there.
 * </ol>
 */
public final class DeadGenerations implements Chore {
  /**
   * The size of all dead generations from which files are compacted: for less, rewriting a file or
   * two at each level is not worth it.
   */
  public static final long SETTLED_BYTES = 16 << 20;

  /** The number of index keys that one step reads: some milliseconds. */
  private static final int INDEX_KEYS = 4_096;

  private static final byte[] INDEX_START = new byte[Long.BYTES];
  private static final int BATCH_BYTES = 4 << 10;

  private final Database database;
  private final WritePath writePath;
  private final RowLocks locks;
  private final SpaceCatalog catalog;
  private final Compactions compactions;
  private final ReclaimTotals totals;

  /** The sequence number at which each was noticed: snapshots up to it may show the generation. */
  private final Map<Long, Long> noticed = new HashMap<>();

  /** The sequence number at which each was emptied: snapshots up to it keep its records. */
  private final Map<Long, Long> emptied = new HashMap<>();

  /** The generations that are being emptied. */
  private final SortedSet<Long> emptying = new TreeSet<>();

  /**
   * Those of them with records still in the index; {@code indexFrom} is where the scan continues.
   */
  private final SortedSet<Long> leavingIndex = new TreeSet<>();

  private byte[] indexFrom = INDEX_START;
  private final Deque<Runnable> settling = new ArrayDeque<>();
  private volatile int held;

  /** A thorough pass reclaims those up to here; other threads may clear without end. */
  private long newest;

  DeadGenerations(
      Database database,
      WritePath writePath,
      RowLocks locks,
      SpaceCatalog catalog,
      Compactions compactions,
      ReclaimTotals totals) {
    this.database = database;
    this.writePath = writePath;
    this.locks = locks;
    this.catalog = catalog;
    this.compactions = compactions;
    this.totals = totals;
  }

  /** The dead generations in the catalog. */
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

  /** How many waited for a snapshot to be closed at the last check. */
  int held() {
    return held;
  }

  @Override
  public void startOver() {
    SortedSet<Long> dead = all(database);
    newest = dead.isEmpty() ? 0 : dead.last();
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
    long oldestSnapshot = database.measures().oldestSnapshot();
    SortedSet<Long> unseen = olderThan(noticed, oldestSnapshot);
    SortedSet<Long> unkept = olderThan(emptied, oldestSnapshot);
    held = noticed.size() + emptied.size() - unseen.size() - unkept.size();
    if (thorough) {
      unseen = unseen.headSet(newest + 1);
      unkept = unkept.headSet(newest + 1);
    }
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
      settling.clear(); // they are planned again; none is forgotten before
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
    catalog.undisturbed(
        () -> {
          SortedSet<Long> dead = all(database);
          dead.removeAll(emptied.keySet());
          // A thread that takes a snapshot checks the generation again afterwards, and finds it
          // dead.
          long now = database.latestSequence();
          dead.forEach(generation -> noticed.putIfAbsent(generation, now));
          return dead;
        });
  }

  private void beginToEmpty(SortedSet<Long> generations) {
    locks.passAll();
    // Deleted files never return; the death of their generations must not be lost either.
    writePath.sync();
    emptying.addAll(generations);
    // Their rows are still stored, so this also holds after an interruption.
    if (DeadRange.of(generations).stream().anyMatch(range -> isIn(range, ColumnFamily.ROWS))) {
      leavingIndex.addAll(generations);
      indexFrom = INDEX_START;
    }
  }

  private boolean isIn(DeadRange range, ColumnFamily family) {
    return database.measures().approximateBytes(family, range.from(), range.to()) > 0
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
    // A snapshot taken now or later sees the deletions.
    long before = database.latestSequence() - 1;
    emptying.forEach(generation -> emptied.put(generation, before));
    noticed.keySet().removeAll(emptying);
    emptying.clear();
  }

  /** Writes the range deletion first, so no scan ever sees a part. */
  private void empty(DeadRange range, ColumnFamily family) {
    totals.addClearedBytes(
        database.measures().approximateFileBytes(family, range.from(), range.to()));
    Batch batch = newBatch();
    batch.deleteRange(family, range.from(), range.to());
    writePath.write(batch, Durability.BUFFERED);
    // If there are files of large values, only compactions can find their garbage.
    if (database.measures().blobBytes(family) == 0) {
      writePath.deleteFiles(family, range.from(), range.to());
    }
  }

  /** Deletes index records of these generations, to which no thread adds any longer. */
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
      writePath.write(batch, Durability.BUFFERED);
    }
    if (!more) {
      leavingIndex.clear();
    }
  }

  private NativeScan index() {
    byte[] end = ExpiryIndexFormat.behind(Expiry.MAX_MILLIS);
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

  /** Whether memtables from before the deletion are still to be flushed. */
  private boolean isBeingWritten() {
    return DeadRange.FAMILIES.stream().anyMatch(database.measures()::isBeingWritten);
  }

  private long fileBytes(DeadRange range) {
    return DeadRange.FAMILIES.stream()
        .mapToLong(
            family -> database.measures().approximateFileBytes(family, range.from(), range.to()))
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
    writePath.write(batch, Durability.BUFFERED);
    emptied.keySet().removeAll(generations);
    totals.addCleared(generations.size());
  }

  private Batch newBatch() {
    return new Batch(database.familyIds(), BATCH_BYTES);
  }
}
