package io.rockpool.internal.rocksdb.natives;

import io.rockpool.error.RockpoolException;
import io.rockpool.store.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.rocksdb.RocksDBException;

/**
 * The only path of writes. When a call returns, its change or batch has the requested durability.
 * Callers must assume nothing else about the implementation.
 */
public final class WritePath {
  private final Database database;
  private final StallWatch stalls;
  private final WriteGate gate;
  private volatile boolean unsynced;

  public WritePath(Database database, Path directory, Duration stallLimit) {
    this.database = database;
    this.stalls = new StallWatch(directory, stallLimit);
    this.gate = new WriteGate(database, directory);
  }

  /** Decides whether writes are possible. */
  public WriteGate gate() {
    return gate;
  }

  /** Detects stalled writes. */
  public StallWatch stalls() {
    return stalls;
  }

  /** Puts one record. One native call. */
  public void put(
      ColumnFamily family,
      byte[] key,
      int keyLength,
      byte[] record,
      int recordLength,
      Durability durability) {
    int place = begin(family == ColumnFamily.ROWS, family == ColumnFamily.ENTRIES);
    try {
      database.put(family, key, keyLength, record, recordLength, durability == Durability.SYNC);
    } catch (RocksDBException e) {
      throw gate.failed(e, "write to");
    } finally {
      end(place, durability);
    }
  }

  /** Deletes one record. One native call. */
  public void delete(ColumnFamily family, byte[] key, int keyLength, Durability durability) {
    int place = begin(false, false);
    try {
      database.delete(family, key, keyLength, durability == Durability.SYNC);
    } catch (RocksDBException e) {
      throw gate.failed(e, "write to");
    } finally {
      end(place, durability);
    }
  }

  /** Writes all changes of a batch, or none. Three native calls. */
  public void write(Batch batch, Durability durability) {
    byte[] bytes = batch.toBytes();
    int place = begin(batch.adds(ColumnFamily.ROWS), batch.adds(ColumnFamily.ENTRIES));
    try {
      database.write(bytes, durability == Durability.SYNC);
    } catch (RocksDBException e) {
      throw gate.failed(e, "write to");
    } finally {
      end(place, durability);
    }
  }

  /**
   * Deletes the files whose keys are all from {@code from}, included, to {@code to}, excluded.
   * Immediately durable. Snapshots lose the records too.
   */
  public void deleteFiles(ColumnFamily family, byte[] from, byte[] to) {
    int place = begin(false, false);
    try {
      database.deleteFiles(family, from, to);
    } catch (RocksDBException e) {
      throw gate.failed(e, "delete files of");
    } finally {
      end(place, Durability.BUFFERED);
    }
  }

  /**
   * Forces everything written before the call to disk; returns a sequence number up to which this
   * holds. If the system fails to do so, every later call fails too, because the system may have
   * discarded the data.
   */
  public long sync() {
    stalls.check();
    gate.checkForGood();
    long sequence = database.latestSequence();
    int place = stalls.enter();
    try {
      forceLog();
    } catch (IOException e) {
      throw gate.unforced(e);
    } finally {
      end(place, Durability.BUFFERED);
    }
    return sequence;
  }

  /** Without RocksDB if the disk was full: RocksDB does not sync a truncated log. */
  private void forceLog() throws IOException {
    if (!gate.isFull()) {
      try {
        database.syncWal();
        return;
      } catch (RocksDBException e) {
        RockpoolException error = gate.failed(e, "force to the disk");
        if (gate.isSpent() || !gate.isFull()) {
          throw error;
        }
      }
    }
    database.logs().force();
  }

  /** Returns and resets whether a write since the last call still needs to be forced to disk. */
  public boolean takeUnsynced() {
    boolean any = unsynced;
    unsynced = false;
    return any;
  }

  /** Records that a write still needs to be forced to disk. */
  public void noteUnsynced() {
    unsynced = true;
  }

  private int begin(boolean addsRows, boolean addsEntries) {
    stalls.check();
    gate.check(addsRows, addsEntries);
    return stalls.enter();
  }

  private void end(int place, Durability durability) {
    stalls.leave(place);
    if (durability != Durability.BUFFERED && !unsynced) {
      unsynced = true;
    }
  }
}
