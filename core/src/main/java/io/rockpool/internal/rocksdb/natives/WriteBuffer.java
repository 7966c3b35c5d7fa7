package io.rockpool.internal.rocksdb.natives;

import io.rockpool.internal.logging.LoggerNames;
import io.rockpool.internal.rocksdb.files.JournalFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
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
 * take for a fraction of the cost of single ones. Reads of records find them in the buffer, without
 * a lock; scans and snapshots of something that may be in it drain it first.
 *
 * <p>It has two parts. Writers fill one of them, and a thread drains the other. A writer waits only
 * if both are full. While there are changes of rows, which scans read soon, a part is drained when
 * it has {@link #ROWS_BYTES} of changes, by the writer itself if it is short.
 *
 * <p>Only one thread at a time writes to RocksDB while there are buffered changes, and in the order
 * of the changes. So their sequence numbers are known when they are journaled, and after a crash
 * the database's last sequence number tells exactly which frames it has.
 *
 * <p>Locks, in this order: {@code draining}, then the write lock, under which changes are appended.
 * Writes past the buffer hold the read lock, so RocksDB can group them.
 */
final class WriteBuffer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  /** What a part holds at most, see {@link #capacity}. */
  static final int MAX_BYTES = 1 << 20;

  private static final int MIN_BYTES = 64 << 10;

  /** A part holds at most this share of the memory budget. */
  private static final int BUDGET_SHARE = 64;

  /** Larger changes pass, unless a part is smaller still. */
  private static final int MAX_CHANGE_BYTES = 64 << 10;

  /**
   * A part with changes of rows and this many bytes is drained, and larger changes of rows pass.
   * Larger batches are hardly cheaper, and let the writer that drains wait longer.
   */
  static final int ROWS_BYTES = 1 << 10;

  /**
   * While another thread drains, a part with changes of rows may grow to this size; then writers of
   * rows wait. A larger one lets them wait as much longer, for the drain of all that.
   */
  private static final int MAX_ROWS_BYTES = BatchFormat.HEADER_BYTES + (4 << 10);

  /** Before changes pass, the part is drained until it is this short, if writers let it. */
  private static final int SHORT_BYTES = 16 << 10;

  private static final int TRIES_UNTIL_SHORT = 3;

  /** Draining a full buffer takes a fraction of this. */
  private static final long SOON_MILLIS = 50;

  /** How often a thread that waits for another's drain checks for a stall. */
  private static final long LOOK_MILLIS = 100;

  private final WriteTarget target;
  private final JournalFile journal;
  private final int entries;
  private final int maxChangeBytes;
  private final int maxChanges;
  private final PatientLock draining = new PatientLock();
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final BufferPart first;
  private final BufferPart second;
  private final AtomicBoolean woken = new AtomicBoolean();
  private StallWatch stalls = new StallWatch(Path.of(""), Duration.ofDays(1));
  private Consumer<RocksDBException> failed = e -> {};
  private BooleanSupplier full = () -> false;

  /** Lets a thread call {@link #drainFilled}. */
  private volatile BooleanSupplier drainer = () -> false;

  /** The part that changes are appended to; changed under the write lock. */
  private volatile BufferPart active;

  /**
   * Whether the other part has changes that RocksDB may not have; set under the write lock, reset
   * under {@code draining}.
   */
  private volatile boolean unfinished;

  /** Whether writes went past the buffer since the last append; guarded by the lock. */
  private volatile boolean passed;

  /** How often the active part was given to RocksDB, counted before; under the write lock. */
  private volatile long moves;

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

  /** Whether RocksDB's log must have the changes in their order; guarded by {@code draining}. */
  private boolean keepsOrder;

  private volatile boolean off;
  private volatile boolean broken;

  /**
   * A buffer for changes after {@code target}'s latest.
   *
   * @param entries the id of the family of entries
   * @param capacity how many bytes of changes a part may hold, a power of two
   */
  WriteBuffer(WriteTarget target, JournalFile journal, int entries, int capacity) {
    this.target = target;
    this.journal = journal;
    this.entries = entries;
    this.maxChangeBytes = Math.min(MAX_CHANGE_BYTES, capacity / 2);
    this.maxChanges = ChangeIndex.maxChanges(capacity) / 2;
    this.first = new BufferPart(capacity, journal.first());
    this.second = new BufferPart(capacity, journal.second());
    this.active = first;
    this.lastSequence = target.latestSequence();
  }

  /** The bytes of changes in a part of a store with this memory budget. */
  static int capacity(long memoryBudgetBytes) {
    long share = Long.highestOneBit(Math.max(1, memoryBudgetBytes / BUDGET_SHARE));
    return (int) Math.max(MIN_BYTES, Math.min(MAX_BYTES, share));
  }

  /** The size of a half of the journal for a part: frames of small changes are half header. */
  static int journalBytes(int capacity) {
    return capacity + capacity / 2;
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

  /**
   * Sets what lets a thread call {@link #drainFilled}, and returns false if there is none: then
   * writers drain.
   */
  void drainOn(BooleanSupplier thread) {
    drainer = thread;
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
    boolean rows = family != entries;
    @Nullable BufferPart part;
    try {
      part = begin(keyLength + recordLength + BatchFormat.MAX_FRAME_BYTES, 1, rows);
      if (part != null) {
        part.begin();
        part.add(what, family, key, keyLength, record, recordLength);
        part = end(part, 1, rows);
      }
    } finally {
      unlock();
    }
    return drainIfDue(part);
  }

  /**
   * Adds changes in {@link BatchFormat}, without range deletions. Returns false if the buffer does
   * not take them; nothing is added then.
   *
   * @param rows whether there are changes of other families than entries
   */
  boolean addAll(byte[] batch, int start, int end, int count, boolean rows)
      throws RocksDBException {
    @Nullable BufferPart part;
    try {
      part = begin(end - start, count, rows);
      if (part != null) {
        part.begin();
        part.addAll(batch, start, end);
        part = end(part, count, rows);
      }
    } finally {
      unlock();
    }
    return drainIfDue(part);
  }

  /** Takes the write lock, with room for changes; returns null if the buffer takes none now. */
  private @Nullable BufferPart begin(int changesBytes, int changes, boolean rows)
      throws RocksDBException {
    if (isOff() || changesBytes > maxChangeBytes || changes > maxChanges) {
      return null;
    }
    if (rows && changesBytes > ROWS_BYTES && isShort(active)) {
      return null;
    }
    lock.writeLock().lock();
    while (!isOff()) {
      BufferPart part = active;
      if (rows && part.count > 0 && part.length + changesBytes > MAX_ROWS_BYTES && isShort(part)) {
        lock.writeLock().unlock();
        if (!draining.spinUntil(() -> active != part)) {
          drain();
        }
        lock.writeLock().lock();
      } else if (part.hasRoom(changesBytes, changes)) {
        return last(part);
      } else if (part.count == 0) {
        part.grow(changesBytes, changes, /* wasFull= */ false);
      } else if (!unfinished) {
        other(part).grow(changesBytes, changes, /* wasFull= */ true);
        swap();
      } else {
        lock.writeLock().unlock();
        awaitRoom(part);
        lock.writeLock().lock();
      }
    }
    return null;
  }

  /** The part, with the last sequence number before what is to be added. */
  private BufferPart last(BufferPart part) {
    if (passed) {
      lastSequence = target.latestSequence();
      passed = false;
    }
    return part;
  }

  /** Whether a drain of this part, and of the other one before, takes little time. */
  private boolean isShort(BufferPart part) {
    return part.length <= MAX_ROWS_BYTES && (!unfinished || other(part).length <= MAX_ROWS_BYTES);
  }

  /** The error of a mapped page may be thrown anywhere, so whether the lock is held is asked. */
  private void unlock() {
    if (lock.isWriteLockedByCurrentThread()) {
      lock.writeLock().unlock();
    }
  }

  /** Journals the appended changes and makes them part of the buffer; null if that fails. */
  private @Nullable BufferPart end(BufferPart part, int count, boolean rows) {
    long sequence = lastSequence + 1;
    try {
      part.commit(sequence, count, rows);
    } catch (InternalError e) {
      leaveJournal(e);
      return null;
    }
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

  /** Drains a short part of rows; lets a thread drain what else is to be; returns whether any. */
  private boolean drainIfDue(@Nullable BufferPart part) {
    if (part == null) {
      return false;
    }
    if (part.hasRows && part.length >= ROWS_BYTES && isShort(part)) {
      if (draining.tryLock()) {
        try {
          drainAlone(true);
        } catch (RocksDBException | RuntimeException | Error e) {
          // The change is acknowledged. What caused this meets the next write, which passes.
          LOG.debug("Changes stay in the buffer.", e);
        } finally {
          draining.unlock();
        }
      }
    } else if (isDue() && !draining.isLocked()) {
      wakeDrainer();
    }
    return true;
  }

  /** Whether there is something to do for {@link #drainFilled}. */
  private boolean isDue() {
    BufferPart part = active;
    return (unfinished || (part.hasRows && part.length >= ROWS_BYTES)) && failure == null;
  }

  private void wakeDrainer() {
    if (!woken.get() && woken.compareAndSet(false, true)) {
      boolean wakes = false;
      try {
        wakes = drainer.getAsBoolean();
      } catch (RuntimeException | Error e) {
        LOG.debug("No thread drains the buffer; a writer will.", e);
      } finally {
        if (!wakes) {
          woken.set(false);
        }
      }
    }
  }

  /** Writes the filled part, and an active one with changes of rows, to RocksDB. */
  void drainFilled() throws RocksDBException {
    do {
      draining.lock();
      try {
        drainIfDueAlone();
      } finally {
        draining.unlock();
        woken.set(false);
      }
    } while (isDue() && woken.compareAndSet(false, true));
  }

  private void drainIfDueAlone() throws RocksDBException {
    int place = stalls.enter();
    try {
      if (failure == null) {
        finish(filled(false), true);
        if (isDue()) {
          drainAlone(true);
        }
      }
    } finally {
      stalls.leave(place);
    }
  }

  /** Waits until the other part is drained, by this thread if no other one does it. */
  private void awaitRoom(BufferPart full) throws RocksDBException {
    wakeDrainer();
    int place = lockDraining();
    try {
      if (active == full && failure == null) {
        finish(filled(false), true);
      }
    } finally {
      draining.unlock();
      stalls.leave(place);
    }
  }

  /** Takes the lock for a drain, as a writer that may stall; returns its place there. */
  private int lockDraining() {
    int place = stalls.enter();
    boolean locked = false;
    try {
      while (!draining.lockWithin(LOOK_MILLIS)) {
        stalls.check();
      }
      locked = true;
      return place;
    } finally {
      if (!locked) {
        stalls.leave(place);
      }
    }
  }

  /** Writes all changes that were added before the call to RocksDB. */
  void drain() throws RocksDBException {
    int place = lockDraining();
    try {
      drainAlone(true);
    } finally {
      draining.unlock();
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
    int place = stalls.enter();
    try {
      drainAlone(false);
      return true;
    } finally {
      draining.unlock();
      stalls.leave(place);
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
    finish(filled(false), mayWait);
    finish(filled(true), mayWait);
  }

  /**
   * The part that is to be written to RocksDB, or null.
   *
   * @param swaps whether that is the active one if there is no other
   */
  private @Nullable BufferPart filled(boolean swaps) {
    lock.writeLock().lock();
    try {
      if (swaps && !unfinished && active.count > 0) {
        swap();
      }
      return unfinished ? other(active) : null;
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void swap() {
    long now = moves + 1;
    moves = now;
    active = other(active);
    unfinished = true;
  }

  private BufferPart other(BufferPart part) {
    return part == first ? second : first;
  }

  /** Writes the changes of a part, unless RocksDB has them. */
  private void finish(@Nullable BufferPart part, boolean mayWait) throws RocksDBException {
    if (part == null) {
      return;
    }
    while (part.hasMore()) {
      if (target.latestSequence() != part.nextSequence()) {
        write(part.batch(!keepsOrder), mayWait);
      }
      part.take();
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
      if (unfinished && target.latestSequence() == older.nextSequence()) {
        older.take();
      }
      int count = older.moreCount() + active.count;
      long now = moves + 1;
      moves = now;
      if (count > 0) {
        write(BatchFormat.encode(count, older.changesBefore(active)), mayWait);
        failure = null;
      }
      older.clear();
      active.clear();
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
    boolean follows = latest == oldest.takenSequence() || latest == oldest.nextSequence();
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
      int tries = 0;
      do {
        drainAlone(true);
      } while (active.length > SHORT_BYTES && ++tries < TRIES_UNTIL_SHORT);
      lock.writeLock().lock();
      try {
        if (unfinished) {
          finish(other(active), true);
        }
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

  /** From now on, changes are in their order in RocksDB's log: it can be cut between any two. */
  void keepOrder() {
    draining.lock();
    try {
      keepsOrder = true;
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
    int hash = ChangeIndex.hash(family, key, 0, keyLength);
    // Changes only go on from the active part to the other one to RocksDB; a lookup follows them.
    BufferPart part = active;
    byte[] found = part.find(hash, family, key, keyLength);
    if (found == null) {
      found = other(part).find(hash, family, key, keyLength);
    }
    if (found == BufferPart.MERGED) {
      drain();
      return null;
    }
    return found;
  }

  /**
   * What the buffer holds now. Of several keys, lookups in it and a later read of RocksDB are as of
   * one moment if it {@link View#isComplete} after that.
   */
  View view() {
    return new View();
  }

  /** The buffer at one moment. */
  final class View {
    private final long movesBefore = moves;
    private final BufferPart part = active;
    private final BufferPart older = other(part);
    private final long epoch = part.epoch();
    private final int length = part.length;
    private final long olderEpoch = older.epoch();
    private final int olderLength = older.length;

    /**
     * Like {@link WriteBuffer#find}, but {@link BufferPart#MERGED} or {@link BufferPart#LOST} if
     * the record is not known.
     */
    byte @Nullable [] find(int family, byte[] key, int keyLength) {
      int hash = ChangeIndex.hash(family, key, 0, keyLength);
      byte[] found = part.find(hash, family, key, keyLength, epoch, length);
      return found == null
          ? older.find(hash, family, key, keyLength, olderEpoch, olderLength)
          : found;
    }

    /** Whether RocksDB has got no changes since that are not in the view. */
    boolean isComplete() {
      return moves == movesBefore && older.epoch() == olderEpoch;
    }
  }

  /** Whether it may hold a change of a key that begins with the same generation. */
  boolean mayHoldGeneration(int family, byte[] key) {
    if (isEmpty()) {
      return false;
    }
    int hash = BufferPart.hashOfGeneration(family, key, 0, key.length);
    return first.mayHoldGeneration(hash) || second.mayHoldGeneration(hash);
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
