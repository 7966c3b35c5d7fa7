package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.engine.SortRange;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.StoreIoException;
import io.rockpool.internal.format.CatalogKeyFormat;
import io.rockpool.internal.format.Descriptor;
import io.rockpool.internal.format.Generation;
import io.rockpool.internal.logging.LoggerNames;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import io.rockpool.internal.rocksdb.natives.CloseGuard;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.DamagedTable;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.NativeDatabase;
import io.rockpool.internal.rocksdb.natives.NativeScan;
import io.rockpool.internal.rocksdb.natives.WriteGate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets writes go on after a compaction has read a damaged file. RocksDB then refuses every write of
 * every name until it is opened again, and would refuse them again after the next compaction. So
 * the database is reopened without compactions of the file's column family, until it no longer has
 * the file.
 */
public final class DamageWatch {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  /** How long to wait for the threads inside the guard, and for open scans. */
  private static final long ALONE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private static final long HELD_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  /** How often it looks whether the damaged files are still there. */
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Without an error that names the file, tables are searched for it up to this size in all. */
  private static final long MAX_SEARCHED_BYTES = 1L << 30;

  private final Database database;
  private final WriteGate gate;
  private final CloseGuard guard;
  private final StoreDirectory directory;
  private long lookedNanos = System.nanoTime();
  private long seenFailures;

  /** The last change of the database, or of the closed one that is to be reopened. */
  private long sequence;

  private boolean reopened;
  private boolean failing;

  public DamageWatch(
      Database database, WriteGate gate, CloseGuard guard, StoreDirectory directory) {
    this.database = database;
    this.gate = gate;
    this.guard = guard;
    this.directory = directory;
  }

  /** Reopens the database if needed. Always call it from the same thread, outside the guard. */
  public void look() {
    try {
      if (!gate.isSpent() && !gate.isFull() && !directory.isGone()) {
        CorruptStoreException damage = gate.damage();
        if (!database.opened().isOpen()) {
          goOn(List.of()); // the last attempt has failed
        } else if (damage != null) {
          goOn(database.noteDamage(damage));
        } else if (hasNewFailure()) {
          List<DamagedTable> found = database.findDamage();
          if (!found.isEmpty()) {
            goOn(found);
          }
        } else {
          endIfGone();
        }
      }
      failing = false;
    } catch (RuntimeException e) {
      if (!failing) {
        failing = true;
        LOG.error("The store at {} cannot take writes again yet.", directory.path(), e);
      }
    }
  }

  /** Whether a background job has failed since the last call, on a disk that has room. */
  private boolean hasNewFailure() {
    long failures = database.measures().failures();
    boolean isNew = failures > seenFailures;
    seenFailures = failures;
    return isNew
        && directory.hasAmpleRoom()
        && database.measures().tableBytes() <= MAX_SEARCHED_BYTES;
  }

  private void goOn(List<DamagedTable> found) {
    NativeDatabase opened = database.opened();
    long start = System.nanoTime();
    while (opened.held() > 0 && System.nanoTime() - start < ALONE_NANOS) {
      LockSupport.parkNanos(HELD_NANOS);
    }
    if (opened.held() > 0) {
      return;
    }
    reopened = false;
    boolean unused = guard.runAlone(this::reopen, ALONE_NANOS);
    if (reopened) {
      seenFailures = 0;
      gate.setMended();
      for (DamagedTable table : found) {
        report(table);
      }
    }
  }

  /** Runs while no thread is inside the guard. */
  private void reopen() {
    NativeDatabase opened = database.opened();
    if (opened.held() > 0) {
      return;
    }
    if (opened.isOpen()) {
      sequence = database.latestSequence();
    }
    long found = database.reopen();
    reopened = found == sequence;
    if (!reopened) {
      StoreIoException why =
          new StoreIoException(
              "The store at "
                  + directory.path()
                  + " was opened again because of a damaged file, and has the change "
                  + found
                  + " as its last, not "
                  + sequence
                  + ". Close it and open it again; its recovery report says what is known to be"
                  + " lost.",
              directory.path(),
              null);
      opened.giveUp(why);
      gate.setSpent(why);
      LOG.error("{}", why.getMessage());
    }
  }

  private void report(DamagedTable table) {
    LOG.error(
        "The file {} of the store at {} is damaged. Names with records in it: {}. Other names are"
            + " not affected. Copy what is readable with Rockpool.salvage or the command rockpool"
            + " salvage, restore a backup, or drop those names. Until the file is gone, files like"
            + " it are not compacted.",
        table.file(),
        directory.path(),
        namesIn(table));
  }

  private List<String> namesIn(DamagedTable table) {
    List<String> names = new ArrayList<>();
    byte[] prefix = CatalogKeyFormat.name("");
    byte[] end = Objects.requireNonNull(SortRange.successorOfPrefix(prefix));
    try (NativeScan scan =
        database.scan(database.now(), ColumnFamily.CATALOG, prefix, end, false, true)) {
      while (scan.next()) {
        int length = scan.readValue();
        byte[] record = Arrays.copyOf(scan.value(), length);
        long generation = Descriptor.decode(record).generation();
        if (!table.hasGenerations()
            || (generation >= Generation.of(table.smallest())
                && generation <= Generation.of(table.largest()))) {
          names.add(CatalogKeyFormat.nameOf(scan.key()));
        }
      }
    } catch (RockpoolException e) {
      LOG.debug("The names in a damaged file are not known.", e);
    }
    return names;
  }

  /** Compacts again what had a damaged file that the database no longer has. */
  private void endIfGone() {
    if (!database.hasDamaged() || System.nanoTime() - lookedNanos < LOOK_NANOS) {
      return;
    }
    lookedNanos = System.nanoTime();
    if (guard.tryEnter()) {
      try {
        if (database.forgetGoneTables()) {
          LOG.info("A damaged file of the store at {} is gone.", directory.path());
        }
      } finally {
        guard.leave();
      }
    }
  }
}
