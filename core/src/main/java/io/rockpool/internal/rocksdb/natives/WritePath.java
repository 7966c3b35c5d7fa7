package io.rockpool.internal.rocksdb.natives;

import io.rockpool.error.RockpoolException;
import io.rockpool.internal.format.Generation;
import io.rockpool.internal.logging.LoggerNames;
import io.rockpool.store.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only path of writes. When a call returns, its change or batch has the requested durability.
 * Callers must assume nothing else about the implementation.
 */
public final class WritePath {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  /** The database is opened again for each damaged file that its compactions meet. */
  static final int MAX_TRIES = 10;

  /** No space has this generation. */
  private static final byte[] PROBED = Generation.prefix(0);

  private final Database database;

  /** The id of each column family, by its index. */
  private final int[] familyIds;

  private final WriteBuffer buffer;
  private final StallWatch stalls;
  private final WriteGate gate;
  private final DiskToll toll;
  private volatile boolean unsynced;

  public WritePath(Database database, Path directory, Duration stallLimit) {
    this.database = database;
    this.familyIds = database.familyIds();
    this.buffer = database.buffer();
    this.stalls = new StallWatch(directory, stallLimit);
    this.gate = new WriteGate(database, directory, stallLimit);
    this.toll = database.toll();
    buffer.watch(stalls, this::failed, gate::isFull);
    stalls.meanwhile(gate::letMend);
    database.watch(gate);
  }

  /** Notes at the gate if the disk is full. */
  private void failed(RocksDBException e) {
    RockpoolException error = gate.failed(e, "write to");
    LOG.error("Changes of a store stay in its journal for now.", error);
  }

  /** Decides whether writes are possible. */
  public WriteGate gate() {
    return gate;
  }

  /** Whether inserts are rejected now, because the disk lacks room. */
  public boolean refusesInserts() {
    return gate.closed != null && gate.refusal() != null;
  }

  /** Lets writers wait for evictions. */
  public DiskToll toll() {
    return toll;
  }

  /** Whether writers have to wait for evictions; one volatile read. */
  public boolean isTollDue() {
    return toll.due;
  }

  /** Detects stalled writes. */
  public StallWatch stalls() {
    return stalls;
  }

  /**
   * Sets what lets a thread call {@link #drainFilled}; it returns false if it cannot. Without a
   * thread, writers drain the buffer.
   */
  public void drainOn(BooleanSupplier thread) {
    buffer.drainOn(thread);
  }

  /** Writes full parts of the buffer to RocksDB. Call it inside the {@link CloseGuard}. */
  public void drainFilled() {
    try {
      buffer.drainFilled();
    } catch (RocksDBException e) {
      // The gate knows, and so do the next writes, which pass the buffer.
      LOG.debug("Changes stay in the journal.", e);
    } catch (InternalError e) {
      throw unmapped(e);
    }
  }

  /** Puts one record. No native call, but for the thread that drains the buffer. */
  public void put(
      ColumnFamily family,
      byte[] key,
      int keyLength,
      byte[] record,
      int recordLength,
      Durability durability) {
    RockpoolException error;
    int place = begin(family == ColumnFamily.ROWS, family == ColumnFamily.ENTRIES);
    try {
      if (durability == Durability.SYNC
          || !buffer.put(familyIds[family.index()], key, keyLength, record, recordLength)) {
        pass(putOf(family, key, keyLength, record, recordLength), durability);
      }
      return;
    } catch (RocksDBException e) {
      error = gate.failed(e, "write to");
    } catch (InternalError e) {
      throw unmapped(e);
    } finally {
      end(place, durability);
    }
    gate.awaitMended(error);
    write(putOf(family, key, keyLength, record, recordLength), durability);
  }

  private Batch putOf(
      ColumnFamily family, byte[] key, int keyLength, byte[] record, int recordLength) {
    Batch batch = newBatch(keyLength + recordLength);
    batch.put(family, key, keyLength, record, recordLength);
    return batch;
  }

  /** Deletes one record, at the same cost. */
  public void delete(ColumnFamily family, byte[] key, int keyLength, Durability durability) {
    RockpoolException error;
    int place = begin(false, false);
    try {
      if (durability == Durability.SYNC
          || !buffer.delete(familyIds[family.index()], key, keyLength)) {
        pass(deleteOf(family, key, keyLength), durability);
      }
      return;
    } catch (RocksDBException e) {
      error = gate.failed(e, "write to");
    } catch (InternalError e) {
      throw unmapped(e);
    } finally {
      end(place, durability);
    }
    gate.awaitMended(error);
    write(deleteOf(family, key, keyLength), durability);
  }

  private Batch deleteOf(ColumnFamily family, byte[] key, int keyLength) {
    Batch batch = newBatch(keyLength);
    batch.delete(family, key, keyLength);
    return batch;
  }

  /** Meets what an insert meets: deletes a key that no space has, and forces that to disk. */
  public void probe() {
    gate.check(true, true);
    delete(ColumnFamily.ROWS, PROBED, PROBED.length, Durability.SYNC);
  }

  /** Writes all changes of a batch, or none. A large one takes three native calls. */
  public void write(Batch batch, Durability durability) {
    RockpoolException error = tryWrite(batch, durability);
    for (int tries = 1; error != null; tries++) {
      if (tries == MAX_TRIES) {
        throw error;
      }
      gate.awaitMended(error);
      error = tryWrite(batch, durability);
    }
  }

  /** Returns the error of RocksDB, if any: then nothing was written. */
  private @Nullable RockpoolException tryWrite(Batch batch, Durability durability) {
    int place = begin(batch.adds(ColumnFamily.ROWS), batch.adds(ColumnFamily.ENTRIES));
    try {
      if (durability == Durability.SYNC || !batch.addTo(buffer)) {
        pass(batch, durability);
      }
      return null;
    } catch (RocksDBException e) {
      return gate.failed(e, "write to");
    } catch (InternalError e) {
      throw unmapped(e);
    } finally {
      end(place, durability);
    }
  }

  private Batch newBatch(int changeBytes) {
    return new Batch(familyIds, changeBytes);
  }

  private void pass(Batch batch, Durability durability) throws RocksDBException {
    buffer.pass(batch.toBytes(), durability == Durability.SYNC);
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
      force();
    } catch (IOException e) {
      throw gate.unforced(e);
    } finally {
      end(place, Durability.BUFFERED);
    }
    return sequence;
  }

  /** Like {@link #sync}. Afterwards RocksDB's log has these changes too, not only the journal. */
  public long syncLog() {
    long sequence = sync();
    try {
      buffer.drain();
    } catch (RocksDBException e) {
      throw gate.failed(e, "write to");
    }
    // A change that was refused meanwhile may be in the log.
    gate.checkForGood();
    return sequence;
  }

  /**
   * Forces the log, and the journal if the log does not have all changes. Without RocksDB if the
   * disk was full: RocksDB does not sync a truncated log.
   */
  private void force() throws IOException {
    if (gate.isFull() || !drain()) {
      buffer.forceJournal();
    }
    if (!gate.isFull()) {
      try {
        database.syncWal();
        return;
      } catch (RocksDBException e) {
        RockpoolException error = gate.failed(e, "force to the disk");
        if (gate.isSpent() || !gate.isFull()) {
          throw error;
        }
        buffer.forceJournal();
      }
    }
    database.logs().force();
  }

  /**
   * Writes the newest changes to RocksDB unless that would take long; returns whether it did. If
   * RocksDB cannot take them, later writes are refused.
   */
  public boolean drain() {
    try {
      return buffer.isEmpty() || buffer.tryDrain();
    } catch (RocksDBException e) {
      LOG.debug("The journal is forced to disk instead.", e);
      return false;
    }
  }

  /**
   * Sets whether writes may be acknowledged before RocksDB has them. Not while the disk is nearly
   * full: RocksDB might never take them.
   */
  public void setBuffered(boolean buffered) {
    buffer.setOff(!buffered);
  }

  /**
   * Keeps the order of changes in RocksDB's log from now on. Before, the changes of entries within
   * a batch of the log may have another order.
   */
  public void keepOrder() {
    buffer.keepOrder();
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

  /** A fault of a mapped page may be thrown later than where it happened. */
  private InternalError unmapped(InternalError e) {
    buffer.leaveJournal(e);
    return e;
  }

  private int begin(boolean addsRows, boolean addsEntries) {
    stalls.check();
    if (gate.closed != null) {
      gate.check(addsRows, addsEntries);
    }
    return stalls.enter();
  }

  private void end(int place, Durability durability) {
    stalls.leave(place);
    if (durability != Durability.BUFFERED && !unsynced) {
      unsynced = true;
    }
  }
}
