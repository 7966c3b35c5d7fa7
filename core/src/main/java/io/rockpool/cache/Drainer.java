package io.rockpool.cache;

import io.rockpool.error.RockpoolException;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.internal.concurrent.Durations;
import io.rockpool.internal.format.PendingChangeFormat.Pending;
import io.rockpool.internal.logging.LoggerNames;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the pending changes of a cache with its {@link BatchWriter}, usually on a thread of its
 * own. The writer is called with no lock held.
 *
 * <p><b>Failures.</b> A change that the writer left in the collection, among changes that it wrote,
 * has failed alone. So has the only change of a batch. A batch of which nothing was written is
 * halved, until the changes at fault are alone. If both halves fail, the writer's target is
 * probably down: then no more is tried now, no change is blamed, and the next attempt begins with
 * halves.
 */
final class Drainer<K, V> implements Draining {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.CACHE);

  /** How often a clock that is not the system's is read. */
  private static final long POLL_MILLIS = 1_000;

  /** The pause after an error of the store. */
  private static final long PAUSE_MILLIS = 200;

  /** After an interrupt at the end, the thread has this long to return from the writer. */
  private static final long INTERRUPTED_MILLIS = 1_000;

  private static final int MAX_CAUSE_LENGTH = 1_000;

  private final CacheEntries<K, V> entries;
  private final PendingChanges pending;
  private final BatchWriter<K, V> writer;
  private final WriteBehindOptions options;
  private final InstantSource clock;
  private final Set<Thread> draining = ConcurrentHashMap.newKeySet();
  private volatile boolean failing;
  private volatile boolean stopped;
  private @Nullable Thread thread;

  /** When closing stops waiting for the writer, by {@link System#nanoTime}; null until it waits. */
  private volatile @Nullable Long closeEnd;

  Drainer(
      CacheEntries<K, V> entries,
      PendingChanges pending,
      BatchWriter<K, V> writer,
      WriteBehindOptions options) {
    this.entries = entries;
    this.pending = pending;
    this.writer = writer;
    this.options = options;
    this.clock = entries.clock();
    pending.index.use(options);
  }

  /** Starts the thread. */
  void start() {
    if (options.hasThread()) {
      Thread created = new Thread(this::run, "rockpool-behind-" + entries.space().name());
      created.setDaemon(true);
      created.setContextClassLoader(writer.getClass().getClassLoader());
      thread = created;
      created.start();
    }
  }

  private void run() {
    while (!stopped) {
      try {
        if (!drain() && !pending.index.awaitDue(clock.millis(), POLL_MILLIS)) {
          return;
        }
      } catch (InterruptedException e) {
        // Only stop() ends this thread.
      } catch (Throwable e) {
        rest();
        if (!stopped) { // otherwise the store was closed, or the name was dropped
          LOG.error("The cache \"{}\" could not be written behind; it is tried again.", name(), e);
        }
      }
    }
  }

  private void rest() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      // Only stop() ends this thread.
    }
  }

  private String name() {
    return entries.space().name();
  }

  @Override
  public boolean drain() {
    List<PendingItem> claimed = stopped ? List.of() : pending.index.claim(clock.millis());
    if (claimed.isEmpty()) {
      return false;
    }
    Thread me = Thread.currentThread();
    boolean outermost = draining.add(me);
    Set<PendingItem> open = ConcurrentHashMap.newKeySet();
    open.addAll(claimed);
    try {
      for (List<WriteBatch.Task<K, V>> batch : WriteBatch.of(tasks(claimed, open))) {
        write(batch, open);
      }
    } finally {
      for (PendingItem item : open) { // an acknowledgement has failed, or a read
        pending.index.retry(item, options.batchSize(), clock.millis());
      }
      if (outermost) {
        draining.remove(me);
      }
    }
    return true;
  }

  private List<WriteBatch.Task<K, V>> tasks(List<PendingItem> claimed, Set<PendingItem> open) {
    List<PendingChanges.@Nullable Read> reads = pending.readAll(claimed);
    List<WriteBatch.Task<K, V>> tasks = new ArrayList<>(claimed.size());
    List<WriteBatch.Task<K, V>> written = new ArrayList<>();
    for (int i = 0; i < claimed.size(); i++) {
      PendingItem item = claimed.get(i);
      PendingChanges.Read read = reads.get(i);
      if (read == null) {
        done(item, item.claimed, open); // another change may have come since the read
        continue;
      }
      WriteBatch.Task<K, V> task = task(item, read, open);
      if (task != null) {
        (item.written == read.pending().sequence() ? written : tasks).add(task);
      }
    }
    acknowledge(written, open);
    return tasks;
  }

  private WriteBatch.@Nullable Task<K, V> task(
      PendingItem item, PendingChanges.Read read, Set<PendingItem> open) {
    Pending change = read.pending();
    try {
      K key = entries.format.decodeKey(item.key.bytes());
      return new WriteBatch.Task<>(item, read, key, entries.format.pendingValue(change));
    } catch (UndecodableValueException e) {
      die(item, read, change.attempts(), e, open);
      return null;
    } catch (RockpoolException e) {
      throw e; // it says nothing of the key, such as that a server does not answer
    } catch (RuntimeException | LinkageError e) { // of a codec of keys
      die(item, read, change.attempts(), e, open);
      return null;
    }
  }

  private void done(PendingItem item, long sequence, Set<PendingItem> open) {
    open.remove(item);
    pending.index.done(item, sequence, clock.millis());
  }

  private void acknowledge(List<WriteBatch.Task<K, V>> written, Set<PendingItem> open) {
    if (written.isEmpty()) {
      return;
    }
    for (WriteBatch.Task<K, V> task : written) {
      task.item().written = task.read().pending().sequence();
    }
    pending.acknowledge(written.stream().map(WriteBatch.Task::read).toList());
    for (WriteBatch.Task<K, V> task : written) {
      done(task.item(), task.read().pending().sequence(), open);
    }
  }

  /** Writes a batch, and halves it if all of it fails. */
  private void write(List<WriteBatch.Task<K, V>> batch, Set<PendingItem> open) {
    WriteBatch.Outcome<K, V> outcome = call(batch, open);
    if (!settle(batch, outcome, open)) {
      halve(batch, open);
    }
  }

  private WriteBatch.Outcome<K, V> call(List<WriteBatch.Task<K, V>> batch, Set<PendingItem> open) {
    WriteBatch.Outcome<K, V> outcome = WriteBatch.write(writer, batch);
    entries.counters.written.add(outcome.written().size());
    acknowledge(outcome.written(), open);
    Throwable error = outcome.error();
    if (error == null) {
      failing = false;
    } else {
      failed(error);
      if (entries.isClosed()) { // the writer may need the cache, and other failures may last
        end();
      }
    }
    return outcome;
  }

  private void failed(Throwable error) {
    entries.counters.writeFailures.increment();
    if (!failing && !stopped) {
      failing = true;
      LOG.warn(
          "The writer of the cache \"{}\" failed. The changes stay pending and are tried again;"
              + " further failures are not logged until a batch was written.",
          name(),
          error);
    }
  }

  /** Settles what is left of a batch; returns false if all of a larger batch has failed. */
  private boolean settle(
      List<WriteBatch.Task<K, V>> batch, WriteBatch.Outcome<K, V> outcome, Set<PendingItem> open) {
    if (stopped) {
      failedTogether(outcome.left(), batch.size(), open);
      return true;
    }
    if (outcome.left().size() == batch.size() && batch.size() > 1) {
      return false;
    }
    for (WriteBatch.Task<K, V> task : outcome.left()) {
      failedAlone(task, Objects.requireNonNull(outcome.error()), open);
    }
    return true;
  }

  private void halve(List<WriteBatch.Task<K, V>> batch, Set<PendingItem> open) {
    int half = (batch.size() + 1) / 2;
    List<WriteBatch.Task<K, V>> first = batch.subList(0, half);
    List<WriteBatch.Task<K, V>> second = batch.subList(half, batch.size());
    if (stopped) {
      failedTogether(batch, batch.size(), open);
      return;
    }
    WriteBatch.Outcome<K, V> firstOutcome = call(first, open);
    WriteBatch.Outcome<K, V> secondOutcome = call(second, open);
    boolean firstSettled = settle(first, firstOutcome, open);
    boolean secondSettled = settle(second, secondOutcome, open);
    boolean anyWritten = !firstOutcome.written().isEmpty() || !secondOutcome.written().isEmpty();
    if (!firstSettled) {
      again(first, anyWritten, open);
    }
    if (!secondSettled) {
      again(second, anyWritten, open);
    }
  }

  private void again(List<WriteBatch.Task<K, V>> half, boolean anyWritten, Set<PendingItem> open) {
    if (anyWritten) {
      halve(half, open);
    } else {
      failedTogether(half, half.size(), open);
    }
  }

  private void failedTogether(
      List<WriteBatch.Task<K, V>> batch, int company, Set<PendingItem> open) {
    for (WriteBatch.Task<K, V> task : batch) {
      open.remove(task.item());
      pending.index.retry(task.item(), company, clock.millis());
    }
  }

  private void failedAlone(WriteBatch.Task<K, V> task, Throwable error, Set<PendingItem> open) {
    PendingItem item = task.item();
    int attempts = task.read().pending().attempts() + 1;
    if (attempts >= options.maximumAttempts()) {
      die(item, task.read(), attempts, error, open);
      return;
    }
    pending.update(task.read(), task.read().pending().failed(attempts, null));
    open.remove(item);
    pending.index.retry(item, 1, clock.millis());
  }

  private void die(
      PendingItem item,
      PendingChanges.Read read,
      int attempts,
      Throwable error,
      Set<PendingItem> open) {
    String text = error.toString();
    String cause = text.substring(0, Math.min(MAX_CAUSE_LENGTH, text.length()));
    boolean same = pending.update(read, read.pending().failed(attempts, cause));
    open.remove(item);
    if (!same) { // a later change is pending, and is tried
      pending.index.retry(item, 1, clock.millis());
      return;
    }
    pending.index.died(item, read.pending().sequence());
    LOG.error(
        "A pending change of the cache \"{}\" was given up after {} attempts. Call deadLetters() of"
            + " PersistentCache.writeBehind(), and retry or drop it.",
        name(),
        attempts,
        error);
  }

  /** Whether this thread runs the writer, so that it must not wait for it. */
  boolean isDraining() {
    return draining.contains(Thread.currentThread());
  }

  @Override
  public boolean flush(Duration timeout) throws InterruptedException {
    long end = System.nanoTime() + nanos(timeout);
    long last = pending.index.hurry(clock.millis());
    while (!options.hasThread() && !stopped && drain()) {
      // written on this thread
    }
    return pending.index.awaitWritten(last, Math.max(0, end - System.nanoTime()));
  }

  private static long nanos(Duration duration) {
    return Durations.nanos(duration);
  }

  @Override
  public void admit(EntryKey key) {
    if (!pending.index.isFull(key.byBytes(), clock.millis()) || isDraining()) {
      return;
    }
    if (entries.inTransaction()) { // which may have locked what the writing thread needs
      if (pending.index.isTwiceFull()) {
        throw full();
      }
      return;
    }
    long end = System.nanoTime() + nanos(options.maximumWait());
    boolean writes = options.whenFull() == WriteBehindOptions.WhenFull.WRITE_THROUGH;
    while (pending.index.isFull(key.byBytes(), clock.millis())) {
      if (writes && drain()) {
        continue;
      }
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0 || stopped) {
        throw full();
      }
      try {
        pending.index.awaitRoom(clock.millis(), Math.min(left, POLL_MILLIS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw full();
      }
    }
  }

  private IllegalStateException full() {
    PendingIndex.Amount amount = pending.index.amount();
    return new IllegalStateException(
        "The cache \""
            + name()
            + "\" has "
            + amount.changes()
            + " pending changes and "
            + amount.dead()
            + " dead letters, which is the maximum, and no room came in time. Nothing was changed."
            + " Check the writer's target, retry or drop dead letters, or raise the maximum of"
            + " WriteBehindOptions.");
  }

  @Override
  public void finish() {
    if (isDraining()) { // a writer that closes its cache does not wait for itself
      return;
    }
    Long begun = closeEnd;
    long end = begun == null ? System.nanoTime() + nanos(options.closeTimeout()) : begun;
    closeEnd = end;
    try {
      boolean unused = flush(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void stop() {
    finish();
    boolean interrupted = Thread.interrupted();
    end();
    Thread running = thread;
    if (running != null && running != Thread.currentThread()) {
      try {
        running.join(INTERRUPTED_MILLIS);
        if (running.isAlive()) {
          running.interrupt();
          running.join(INTERRUPTED_MILLIS);
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    PendingIndex.Amount left = pending.index.amount();
    if (left.changes() > 0) {
      LOG.warn(
          "The cache \"{}\" is closed with {} pending changes. They are kept, and written after it"
              + " is opened with its writer again.",
          name(),
          left.changes());
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void end() {
    stopped = true;
    pending.attached(false);
    pending.index.stop();
  }
}
