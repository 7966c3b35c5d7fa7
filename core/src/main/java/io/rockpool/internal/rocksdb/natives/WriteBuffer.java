package io.rockpool.internal.rocksdb.natives;

import io.rockpool.internal.logging.LoggerNames;
import io.rockpool.internal.rocksdb.files.JournalFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The newest changes, which RocksDB does not have yet. A change is acknowledged when it is in the
 * {@link JournalFile}; many changes reach RocksDB as one batch, which its log and its memtables
 * take for a fraction of the cost of single ones. A read of a record looks for it in the part that
 * is being filled; other reads of something that may be in the buffer drain it first.
 *
 * <p>Only one thread at a time writes to RocksDB while there are buffered changes. So their
 * sequence numbers are known when they are journaled, and after a crash the database's last
 * sequence number tells exactly which frames it has.
 *
 * <p>Locks, in this order: {@code draining}, then the write lock, under which changes are appended.
 * Writes past the buffer hold the read lock, so RocksDB can group them, and so do lookups.
 */
final class WriteBuffer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  /**
   * A buffer of this many bytes is drained by the writer that filled it so far, and larger changes
   * pass. Larger batches are hardly cheaper, and let that writer wait longer.
   */
  static final int DRAIN_BYTES = 1 << 10;

  /**
   * While another thread drains, the buffer may grow to this size; then writers wait. A larger one
   * lets them wait as much longer, for the drain of all that.
   */
  private static final int CAPACITY = 4 << 10;

  /** The size of a half of the journal: frames of small changes are mostly header. */
  static final int HALF_BYTES = 64 << 10;

  /** Draining a full buffer takes a fraction of this. */
  private static final long SOON_MILLIS = 50;

  /** How often a thread that waits for another's drain checks for a stall. */
  private static final long LOOK_MILLIS = 100;

  private final WriteTarget target;
  private final JournalFile journal;
  private final PatientLock draining = new PatientLock();
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final BufferPart first;
  private final BufferPart second;
  private StallWatch stalls = new StallWatch(Path.of(""), Duration.ofDays(1));
  private Consumer<RocksDBException> failed = e -> {};
  private BooleanSupplier full = () -> false;

  /** The part that changes are appended to; changed under both locks. */
  private volatile BufferPart active;

  /**
   * Whether the other part has changes that RocksDB may not have; set under both locks, reset under
   * {@code draining}.
   */
  private volatile boolean unfinished;

  /** Whether writes went past the buffer since the last append; guarded by the lock. */
  private volatile boolean passed;

  private volatile long lastSequence;

  /**
   * The last change that was promised to be on disk in the journal. Until RocksDB's log is forced
   * too, it stays there.
   */
  private volatile long forcedSequence;

  /** Why RocksDB did not take a write, if it has taken none since. */
  private volatile @Nullable RocksDBException failure;

  /** Whether RocksDB's log may end with a refused change, because it could not be forced. */
  private volatile boolean refused;

  private volatile boolean off;
  private volatile boolean broken;

  /** A buffer for changes after {@code target}'s latest. */
  WriteBuffer(WriteTarget target, JournalFile journal) {
    this.target = target;
    this.journal = journal;
    this.first = new BufferPart(CAPACITY, journal.first());
    this.second = new BufferPart(CAPACITY, journal.second());
    this.active = first;
    this.lastSequence = target.latestSequence();
  }

  /** The sequence number of the last acknowledged change. */
  long lastSequence() {
    return passed ? target.latestSequence() : lastSequence;
  }

  /**
   * Connects it with what watches over writes.
   *
   * @param failed receives the first error of RocksDB, after which it may take no writes
   * @param full whether RocksDB must not be given any writes until it is reopened
   */
  void watch(StallWatch stalls, Consumer<RocksDBException> failed, BooleanSupplier full) {
    this.stalls = stalls;
    this.failed = failed;
    this.full = full;
  }

  /** Adds a put. Returns false if the buffer does not take it; nothing is added then. */
  boolean put(int family, byte[] key, int keyLength, byte[] record, int recordLength)
      throws RocksDBException {
    return add(BatchFormat.PUT, family, key, keyLength, record, recordLength);
  }

  /** Adds a delete. Returns false if the buffer does not take it; nothing is added then. */
  boolean delete(int family, byte[] key, int keyLength) throws RocksDBException {
    return add(BatchFormat.DELETE, family, key, keyLength, null, 0);
  }

  private boolean add(
      byte what, int family, byte[] key, int keyLength, byte @Nullable [] record, int recordLength)
      throws RocksDBException {
    @Nullable BufferPart part;
    try {
      part = begin(keyLength + recordLength + BatchFormat.MAX_FRAME_BYTES);
      if (part != null) {
        part.begin(what, family, key, keyLength);
        if (record != null) {
          part.append(record, recordLength);
        }
        part = end(part, 1);
      }
    } finally {
      unlock();
    }
    return drainIfLong(part);
  }

  /**
   * Adds changes in {@link BatchFormat}, without range deletions. Returns false if the buffer does
   * not take them; nothing is added then.
   */
  boolean addAll(byte[] batch, int start, int end, int count) throws RocksDBException {
    @Nullable BufferPart part;
    try {
      part = begin(end - start);
      if (part != null) {
        part.appendAll(batch, start, end);
        part = end(part, count);
      }
    } finally {
      unlock();
    }
    return drainIfLong(part);
  }

  /** Takes the write lock, with room for changes; returns null if the buffer takes none now. */
  private @Nullable BufferPart begin(int changesBytes) throws RocksDBException {
    if (isOff() || changesBytes > DRAIN_BYTES) {
      return null;
    }
    lock.writeLock().lock();
    while (!isOff() && !active.hasRoom(changesBytes)) {
      BufferPart filled = active;
      lock.writeLock().unlock();
      if (!draining.spinUntil(() -> active != filled)) {
        drain();
      }
      lock.writeLock().lock();
    }
    if (isOff()) {
      return null;
    }
    if (passed) {
      lastSequence = target.latestSequence();
      passed = false;
    }
    active.end = active.length;
    return active;
  }

  /** The error of a mapped page may be thrown anywhere, so whether the lock is held is asked. */
  private void unlock() {
    if (lock.isWriteLockedByCurrentThread()) {
      lock.writeLock().unlock();
    }
  }

  /**
   * Journals the appended changes; if that fails, returns null. Only then they become part of the
   * buffer, by assignments alone: whatever is thrown before, nothing was added.
   */
  private @Nullable BufferPart end(BufferPart part, int count) {
    long sequence = lastSequence + 1;
    int before = part.count;
    try {
      part.journal.append(sequence, count, part.bytes, part.length, part.end - part.length);
    } catch (InternalError e) {
      leaveJournal(e);
      return null;
    }
    if (before == 0) {
      part.firstSequence = sequence;
    }
    part.length = part.end;
    part.count = before + count;
    lastSequence = sequence + count - 1;
    return part;
  }

  /**
   * Lets every write pass from now on: a page of the journal cannot be written, because its disk
   * has failed or another program has cut the file.
   */
  void leaveJournal(InternalError cause) {
    if (!broken) {
      broken = true;
      LOG.error("The journal of a store cannot be written; it continues without.", cause);
    }
  }

  private boolean isOff() {
    return off || broken || failure != null;
  }

  /** Drains if a part is long; returns whether there is one. */
  private boolean drainIfLong(@Nullable BufferPart part) {
    if (part != null && part.length >= DRAIN_BYTES && draining.tryLock()) {
      try {
        drainAlone(true);
      } catch (RocksDBException | RuntimeException | Error e) {
        // The change is acknowledged. What caused this meets the next write, which passes.
        LOG.debug("Changes stay in the buffer.", e);
      } finally {
        draining.unlock();
      }
    }
    return part != null;
  }

  /** Writes all changes that were added before the call to RocksDB. */
  void drain() throws RocksDBException {
    int place = stalls.enter();
    try {
      while (!draining.lockWithin(LOOK_MILLIS)) {
        stalls.check();
      }
      try {
        drainAlone(true);
      } finally {
        draining.unlock();
      }
    } finally {
      stalls.leave(place);
    }
  }

  /**
   * Like {@link #drain}, but waits neither for RocksDB's background work nor, for long, for another
   * thread that drains. Returns whether it drained.
   */
  boolean tryDrain() throws RocksDBException {
    if (!draining.lockWithin(SOON_MILLIS)) {
      return false;
    }
    try {
      drainAlone(false);
      return true;
    } finally {
      draining.unlock();
    }
  }

  private void drainAlone(boolean mayWait) throws RocksDBException {
    RocksDBException before = failure;
    if (before != null && (active.count > 0 || unfinished)) {
      if (full.getAsBoolean()) {
        throw before;
      }
      recover(mayWait);
    }
    if (unfinished) {
      finish(other(active), mayWait);
    }
    if (active.count > 0) {
      lock.writeLock().lock();
      try {
        swap();
      } finally {
        lock.writeLock().unlock();
      }
      finish(other(active), mayWait);
    }
  }

  private void swap() {
    active = other(active);
    unfinished = true;
  }

  private BufferPart other(BufferPart part) {
    return part == first ? second : first;
  }

  /** Writes the changes of a part, unless RocksDB has them. */
  private void finish(BufferPart part, boolean mayWait) throws RocksDBException {
    if (part.count > 0 && target.latestSequence() != part.lastSequence()) {
      write(part.toBatch(), mayWait);
    }
    if (part.count > 0 && part.firstSequence <= forcedSequence) {
      sync();
    }
    clearJournal(part);
    part.clear();
    unfinished = false;
  }

  private void write(byte[] batch, boolean mayWait) throws RocksDBException {
    try {
      target.write(batch, /* sync= */ false, mayWait);
    } catch (RocksDBException e) {
      throw failed(e);
    }
  }

  private void sync() throws RocksDBException {
    try {
      target.sync();
    } catch (RocksDBException e) {
      throw failed(e);
    }
  }

  /**
   * Takes no changes until RocksDB has taken a write: a failed one may have used up sequence
   * numbers, so those of the next changes are not known.
   */
  private RocksDBException failed(RocksDBException e) {
    if (e.getStatus() == null || e.getStatus().getCode() != Status.Code.Incomplete) {
      boolean isFirst = failure == null;
      failure = e;
      if (isFirst) {
        failed.accept(e);
      }
    }
    return e;
  }

  private void clearJournal(BufferPart part) {
    try {
      part.journal.clear();
    } catch (InternalError e) {
      leaveJournal(e);
    }
  }

  /**
   * Writes everything as one batch after a failure. If the process dies before, the journal follows
   * the database; after it, the database's last number is past all of the journal.
   */
  private void recover(boolean mayWait) throws RocksDBException {
    lock.writeLock().lock();
    try {
      BufferPart older = other(active);
      if (unfinished && target.latestSequence() == older.lastSequence()) {
        older.clear();
      }
      int count = older.count + active.count;
      if (count > 0) {
        write(BatchFormat.encode(count, older.changesBefore(active)), mayWait);
        older.clear();
        active.clear();
        failure = null;
      }
      unfinished = false;
      passed = true;
      sync();
      clearJournal(older);
      clearJournal(active);
    } finally {
      lock.writeLock().unlock();
    }
  }

  /**
   * Like {@link #drain}, after RocksDB was reopened; does nothing if the changes do not follow
   * RocksDB's. No other thread may use the buffer.
   */
  void drainReopened() throws RocksDBException {
    long latest = target.latestSequence();
    BufferPart oldest = unfinished ? other(active) : active;
    boolean follows = latest == oldest.firstSequence - 1 || latest == oldest.lastSequence();
    if (oldest.count > 0 && follows) {
      recover(true);
    }
    failure = null;
  }

  /** Writes past the buffer, after everything that is in it. */
  void pass(byte[] batch, boolean sync) throws RocksDBException {
    try {
      lockEmpty();
      passed = true;
      target.write(batch, sync, true);
      failure = null;
    } catch (RocksDBException e) {
      failure = e;
      refused |= NativeFailures.isUnforced(e);
      throw e;
    } finally {
      if (lock.getReadHoldCount() > 0) {
        lock.readLock().unlock();
      }
    }
  }

  /** Takes the read lock while the buffer is empty. */
  @SuppressWarnings("LockNotBeforeTry") // the caller releases it
  private void lockEmpty() throws RocksDBException {
    lock.readLock().lock();
    if (active.count == 0 && !unfinished) {
      return;
    }
    lock.readLock().unlock();
    draining.lock();
    try {
      drainAlone(true);
      lock.writeLock().lock();
      try {
        if (active.count > 0) {
          swap();
          finish(other(active), true);
        }
        lock.readLock().lock();
      } finally {
        lock.writeLock().unlock();
      }
    } finally {
      draining.unlock();
    }
  }

  boolean isEmpty() {
    return first.count == 0 && second.count == 0;
  }

  /**
   * The newest record of a key if it is buffered, {@link BufferPart#DELETED} if its deletion is, or
   * null: then RocksDB has all changes of the key that were added before the call.
   */
  byte @Nullable [] find(int family, byte[] key, int keyLength) throws RocksDBException {
    if (isEmpty()) {
      return null;
    }
    int hash = BufferPart.hash(family, key, 0, keyLength);
    if (!mayHold(hash)) {
      return null;
    }
    byte[] found = null;
    boolean mustDrain;
    lock.readLock().lock();
    try {
      BufferPart part = active;
      if (part.mayHold(hash)) {
        found = part.find(family, key, keyLength);
      }
      mustDrain = found == BufferPart.MERGED || (found == null && other(part).mayHold(hash));
    } finally {
      lock.readLock().unlock();
    }
    if (mustDrain) {
      drain();
      return null;
    }
    return found;
  }

  /** Whether it may hold a change of {@code key}. */
  boolean mayHold(int family, byte[] key, int keyLength) {
    return !isEmpty() && mayHold(BufferPart.hash(family, key, 0, keyLength));
  }

  /** Whether it may hold a change of a key that begins with the same generation. */
  boolean mayHoldGeneration(int family, byte[] key) {
    return !isEmpty() && mayHold(BufferPart.hashOfGeneration(family, key, 0, key.length));
  }

  private boolean mayHold(int hash) {
    return first.mayHold(hash) || second.mayHold(hash);
  }

  /**
   * Forces the journal to disk. The caller then forces RocksDB's log: so all acknowledged changes
   * are on disk, in the one or the other.
   */
  void forceJournal() throws IOException {
    forcedSequence = lastSequence();
    if (broken && !isEmpty()) {
      throw new IOException("a page of the journal cannot be written");
    }
    journal.force();
  }

  /** Notes in the journal if RocksDB's log ends with refused changes. No writes may follow. */
  void noteRefused() {
    if (refused && isEmpty()) {
      try {
        RefusedChanges.note(journal, target.latestSequence() + 1);
      } catch (InternalError e) {
        leaveJournal(e);
      }
    }
  }

  /** Closes the journal. No thread may use the buffer any longer. */
  @Override
  public void close() {
    journal.close();
  }

  /** Lets every write pass the buffer, or no longer. */
  void setOff(boolean off) {
    this.off = off;
  }
}
