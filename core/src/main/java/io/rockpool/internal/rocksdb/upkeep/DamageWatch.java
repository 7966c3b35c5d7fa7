package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.StoreIoException;
import io.rockpool.internal.format.Generation;
import io.rockpool.internal.logging.LoggerNames;
import io.rockpool.internal.logging.ShownKey;
import io.rockpool.internal.rocksdb.files.DamagedTables;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import io.rockpool.internal.rocksdb.natives.Batch;
import io.rockpool.internal.rocksdb.natives.CloseGuard;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.DamagedTable;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.NativeDatabase;
import io.rockpool.internal.rocksdb.natives.TableMend;
import io.rockpool.internal.rocksdb.natives.WriteGate;
import io.rockpool.internal.rocksdb.rows.StoreParts;
import io.rockpool.store.Durability;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets writes go on after a compaction has read a damaged file. RocksDB then refuses every write of
 * every name until it is opened again, and would refuse them again after the next compaction. So
 * the database is reopened without compactions of the file's column family, and once more when a
 * copy of the file's readable records is ready to take its place, see {@link TableMend}.
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

  private static final int BATCH_BYTES = 256;

  private final StoreParts store;
  private final Database database;
  private final WriteGate gate;
  private final CloseGuard guard;
  private final StoreDirectory directory;
  private long lookedNanos = System.nanoTime();
  private long waitedNanos = System.nanoTime() - LOOK_NANOS;
  private long seenFailures;

  /** The last change of the database, or of the closed one that is to be reopened. */
  private long sequence;

  private boolean reopened;
  private boolean failing;

  public DamageWatch(StoreParts store, StoreDirectory directory) {
    this.store = store;
    this.database = store.database();
    this.gate = store.writePath().gate();
    this.guard = store.guard();
    this.directory = directory;
  }

  /** Reopens the database if needed. Always call it from the same thread, outside the guard. */
  public void look() {
    gate.setMender();
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
          mend();
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
    reopened = false;
    NativeDatabase opened = database.opened();
    long start = System.nanoTime();
    while (opened.held() > 0 && System.nanoTime() - start < ALONE_NANOS) {
      LockSupport.parkNanos(HELD_NANOS);
    }
    if (opened.held() > 0) {
      return;
    }
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
    store.forgetRows(); // a mended table may have fewer records
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
            + " not affected. Files like it are not compacted until its readable records are"
            + " copied. If they stay uncompacted, copy what is readable with StoreSalvage.copy or"
            + " the command rockpool salvage, restore a backup, or drop those names.",
        table.file(),
        directory.path(),
        names(table));
  }

  /** Puts copies of the readable records in the place of damaged tables. */
  private void mend() {
    List<TableMend> ready = database.prepareMends(guard::isClosed);
    if (!ready.isEmpty() && System.nanoTime() - waitedNanos >= LOOK_NANOS) {
      goOn(List.of());
      if (!reopened) {
        waitedNanos = System.nanoTime(); // for scans and snapshots
      }
      if (reopened) {
        for (TableMend mend : ready) {
          LOG.warn(
              "The readable records of the damaged file {} of the store at {} were copied. The copy"
                  + " has taken its place.",
              mend.file(),
              directory.path());
          database.damagedTables().lost().stream()
              .filter(lost -> lost.table().equals(mend.file()))
              .forEach(this::report);
        }
      }
    }
  }

  private void report(DamagedTables.Lost lost) {
    DamagedTable keys = DamagedTable.of(lost);
    LOG.error(
        "Lost with a damaged block of {} in the store at {}: {} {} of the names {}, with keys from"
            + " {} to {}. {}",
        lost.table(),
        directory.path(),
        lost.records() == 0 ? "some" : "about " + lost.records(),
        keys.family() == ColumnFamily.COUNTS ? "counts" : "records",
        names(keys),
        ShownKey.of(lost.from()),
        lost.to() == null ? "the end" : ShownKey.of(lost.to()),
        switch (keys.family()) {
          case COUNTS -> "They are counted again.";
          case ENTRIES -> "Caches load such entries again.";
          default ->
              "Older values of these keys may be back. Restore a backup, or clear or drop those"
                  + " names; until then, verify lists them.";
        });
  }

  /** For messages. */
  private String names(DamagedTable table) {
    if (!guard.tryEnter()) {
      return "(not known, because the store is closing; verify lists them)";
    }
    try {
      return AffectedNames.of(database, table).keySet().toString();
    } catch (RockpoolException e) {
      LOG.debug("The names in a damaged file are not known.", e);
      return "(not known: " + e.getMessage() + ")";
    } finally {
      guard.leave();
    }
  }

  /** Evicts all entries of caches between lost keys, because removed ones may be back. */
  private void evictLost() {
    for (DamagedTables.Lost lost : database.damagedTables().lost()) {
      if (lost.family().equals(ColumnFamily.ENTRIES.name())
          && !database.damagedTables().setAside().containsKey(lost.table())) {
        Batch batch = new Batch(database.familyIds(), BATCH_BYTES);
        byte[] to = lost.to();
        batch.deleteRange(
            ColumnFamily.ENTRIES, lost.from(), to == null ? Generation.prefix(-1) : to);
        store.writePath().write(batch, Durability.SYNC);
        database.forgetLost(lost::equals);
      }
    }
  }

  /** Forgets damaged files that are gone, and lost records of names that are gone. */
  private void endIfGone() {
    if (database.damagedTables().isEmpty() || System.nanoTime() - lookedNanos < LOOK_NANOS) {
      return;
    }
    lookedNanos = System.nanoTime();
    if (guard.tryEnter()) {
      try {
        evictLost();
        if (database.forgetGoneTables()) {
          LOG.info("A damaged file of the store at {} is gone.", directory.path());
        }
        database.forgetLost(
            lost ->
                !database.damagedTables().setAside().containsKey(lost.table())
                    && AffectedNames.of(database, DamagedTable.of(lost)).isEmpty());
      } finally {
        guard.leave();
      }
    }
  }
}
