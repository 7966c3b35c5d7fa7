package io.rockpool.internal.rocksdb.verify;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RecordChecks;
import io.rockpool.engine.SortRange;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.RockpoolException;
import io.rockpool.internal.engine.Verification;
import io.rockpool.internal.format.CountFormat;
import io.rockpool.internal.format.EntryKeyFormat;
import io.rockpool.internal.logging.ShownKey;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import io.rockpool.internal.rocksdb.natives.CloseGuard;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.NativeScan;
import io.rockpool.internal.rocksdb.natives.NativeSnapshot;
import io.rockpool.internal.rocksdb.natives.ReadPoint;
import io.rockpool.internal.rocksdb.natives.RowsLayout;
import io.rockpool.internal.rocksdb.rows.RocksDbSnapshot;
import io.rockpool.internal.rocksdb.rows.SpaceCatalog;
import io.rockpool.internal.rocksdb.rows.SpaceState;
import io.rockpool.internal.rocksdb.rows.StoreParts;
import io.rockpool.store.FindingKind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Checks everything in a store on one snapshot, so records written in one batch must agree. It
 * enters the {@link CloseGuard} for one record or file at a time, so closing never waits longer.
 */
public final class StoreVerification implements AutoCloseable {
  /** A key above all keys. */
  private static final byte[] END = new byte[9];

  static {
    Arrays.fill(END, (byte) 0xFF);
  }

  private final StoreParts store;
  private final StoreDirectory directory;
  private final SpaceCatalog catalog;
  private final Verification run;
  private final RecordChecks checks;
  private final NativeSnapshot snapshot;

  /** Call it inside the guard. */
  public StoreVerification(
      StoreParts store,
      SpaceCatalog catalog,
      StoreDirectory directory,
      Verification run,
      RecordChecks checks) {
    this.store = store;
    this.catalog = catalog;
    this.directory = directory;
    this.run = run;
    this.checks = checks;
    this.snapshot = new NativeSnapshot(store.database());
    store.handles().snapshots().add(snapshot);
  }

  /** Checks one record; returns whether to continue. */
  @FunctionalInterface
  interface Step {
    boolean see(byte[] key, byte[] value, int length);
  }

  /** Checks everything, until it is stopped. */
  public void run() {
    new FileVerification(store.database(), store.guard(), directory, run).run();
    KnownSpaces spaces = new KnownSpaces(run);
    boolean known = walk(ColumnFamily.CATALOG, spaces::add);
    if (run.isStopped() || !known) {
      return;
    }
    spaces.checkGenerations();
    store.database().damagedTables().lost().forEach(spaces::addLost);
    for (Layout layout : Layout.values()) {
      new RecordVerification(this, spaces, layout).run();
    }
    walk(ColumnFamily.EXPIRIES, new IndexVerification(run, spaces)::see);
    walk(ColumnFamily.COUNTS, new CountVerification(this, spaces)::see);
    walk(ColumnFamily.DEFAULT, spaces::checkCopy);
  }

  /** Walks over a column family; returns whether it could be read. */
  private boolean walk(ColumnFamily family, Step step) {
    try {
      walk(family, new byte[0], step);
      return true;
    } catch (RockpoolException e) {
      run.add(FindingKind.UNREADABLE_RECORDS, "", "column family " + text(family), reason(e));
      return false;
    }
  }

  /**
   * Walks over the records of a column family from a key on, until the step returns false or the
   * verification stops.
   *
   * @throws RockpoolException if they cannot be read
   */
  void walk(ColumnFamily family, byte[] from, Step step) {
    if (run.isStopped() || !run.begin(text(family), expected(family))) {
      return;
    }
    NativeScan scan = open(family, from);
    try {
      boolean more = true;
      while (more) {
        store.guard().enter();
        try {
          more = scan.next() && see(scan, step);
        } finally {
          store.guard().leave();
        }
      }
    } finally {
      if (store.guard().tryEnter()) {
        try {
          store.handles().scans().close(scan);
        } finally {
          store.guard().leave();
        }
      }
    }
  }

  private static boolean see(NativeScan scan, Step step) {
    int length = scan.readValue();
    return step.see(scan.key(), scan.value(), length);
  }

  private NativeScan open(ColumnFamily family, byte[] from) {
    store.guard().enter();
    try {
      NativeScan scan = store.database().scan(point(), family, from, END, false, true);
      store.handles().scans().add(scan);
      return scan;
    } finally {
      store.guard().leave();
    }
  }

  private long expected(ColumnFamily family) {
    store.guard().enter();
    try {
      return store.database().measures().approximateRecords(family);
    } finally {
      store.guard().leave();
    }
  }

  private static String text(ColumnFamily family) {
    return new String(family.bytes(), StandardCharsets.US_ASCII);
  }

  /** RocksDB's message, without Rockpool's advice to the caller. */
  static String reason(RockpoolException e) {
    Throwable cause = e.getCause();
    return String.valueOf(cause == null ? e.getMessage() : cause.getMessage());
  }

  /** Adds a record that no name refers to. */
  void unreachable(byte[] key, String detail) {
    run.add(FindingKind.UNREACHABLE_RECORDS, "", ShownKey.of(key), detail);
  }

  private ReadPoint point() {
    return snapshot.point();
  }

  /** The stored count of a row; null if it is malformed or cannot be read. */
  @Nullable Long count(long generation, byte[] hashKey) {
    byte[] key = EntryKeyFormat.encode(generation, hashKey);
    byte[] count = new byte[Long.BYTES];
    Integer length = peek(ColumnFamily.COUNTS, key, count);
    try {
      if (length == null) {
        return null;
      }
      return length == Database.NOT_FOUND ? 0L : CountFormat.decode(count, length);
    } catch (CorruptStoreException e) {
      return null;
    }
  }

  /** Whether there is certainly no record at a key. */
  boolean isMissing(ColumnFamily family, byte[] key) {
    Integer length = peek(family, key, new byte[1]);
    return length != null && length == Database.NOT_FOUND;
  }

  /** Reads a record; null if it cannot be read, which the walk over its family reports. */
  private @Nullable Integer peek(ColumnFamily family, byte[] key, byte[] target) {
    store.guard().enter();
    try {
      return store.database().peek(point(), family, key, target);
    } catch (RockpoolException e) {
      return null;
    } finally {
      store.guard().leave();
    }
  }

  /** Whether a row certainly has no record. Call it inside the guard. */
  boolean isEmptyRow(long generation, byte[] hashKey) {
    try (NativeScan scan =
        RowsLayout.INSTANCE.scan(
            store.database(), point(), generation, hashKey, SortRange.all(), true)) {
      return !scan.next();
    } catch (RockpoolException e) {
      return false;
    }
  }

  Verification results() {
    return run;
  }

  /** Begins the check of a space by the layers above. */
  RecordChecks.@Nullable RecordCheck check(KnownSpaces.Known known) {
    SpaceState state =
        new SpaceState(
            known.name(),
            known.layout(),
            known.descriptor().generation(),
            Expiry.NEVER,
            catalog,
            store.clock());
    return run.begin(
        checks,
        known.descriptor().info(known.name()),
        RocksDbSnapshot.within(snapshot, store, state));
  }

  @Override
  public void close() {
    if (store.guard().tryEnter()) {
      try {
        store.handles().snapshots().close(snapshot);
      } finally {
        store.guard().leave();
      }
    }
  }
}
