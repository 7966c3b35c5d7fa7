package io.rockpool.engine.rocksdb;

import io.rockpool.backup.BackupOptions;
import io.rockpool.backup.BackupTarget;
import io.rockpool.backup.Shipping;
import io.rockpool.backup.ShippingOptions;
import io.rockpool.error.StoreClosedException;
import io.rockpool.internal.backup.LogShipper;
import io.rockpool.internal.backup.LogSource;
import io.rockpool.internal.concurrent.EveryStep;
import io.rockpool.internal.engine.BackgroundThread;
import io.rockpool.internal.engine.Upkeep;
import io.rockpool.internal.logging.LoggerNames;
import io.rockpool.internal.rocksdb.files.LogRecord;
import io.rockpool.internal.rocksdb.files.LogTail;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import io.rockpool.internal.rocksdb.rows.StoreParts;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ships a store's log on a thread of its own, and makes backups on another one. The store's files
 * are kept from one {@link #look} to the next, so that no file of the log is missed.
 */
final class LogShipping implements Shipping, LogSource {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  private final Supplier<Instant> now;
  private final Consumer<LogShipping> whenEnded;
  private final StoreParts parts;
  private final StoreDirectory directory;
  private final Function<BackupOptions, LogSource.Full> backUp;
  private final ShippingOptions options;
  private final LogTail tail;
  private final BackgroundThread thread;

  /** Makes the later backups, which take longer than an interval. */
  private final BackgroundThread backupThread;

  private final AtomicBoolean backingUp = new AtomicBoolean();

  /** Fails when this is closed. */
  private final CompletableFuture<Void> end = new CompletableFuture<>();

  /** Null before the start. */
  private volatile @Nullable LogShipper shipper;

  /** Whether files are no longer kept; guarded by the tail. */
  private boolean ended;

  /** Whether the first backup is complete; set under this object's monitor. */
  private volatile boolean started;

  private volatile boolean closed;

  /**
   * @param backUp makes a backup
   * @param now the time of the timeline
   * @param whenEnded called at the end
   */
  LogShipping(
      StoreParts parts,
      StoreDirectory directory,
      Function<BackupOptions, LogSource.Full> backUp,
      ShippingOptions options,
      Supplier<Instant> now,
      Consumer<LogShipping> whenEnded) {
    this.now = now;
    this.whenEnded = whenEnded;
    this.parts = parts;
    this.directory = directory;
    this.backUp = backUp;
    this.options = options;
    this.tail = new LogTail(parts.database().logs(), options.maxUnshippedBytes());
    this.thread =
        new BackgroundThread(
            "rockpool-ship " + directory.path().getFileName(),
            options.interval(),
            this::shipUnlessClosed,
            parts.upkeep());
    this.backupThread =
        new BackgroundThread(
            "rockpool-backup " + directory.path().getFileName(),
            options.backupPeriod(),
            this::backUpNow,
            parts.upkeep());
  }

  /**
   * Makes the first backup and starts the thread; if that fails, closes all. The store may be
   * closed meanwhile.
   */
  void start(BackupTarget target, String timeline) {
    LogShipper begun = LogShipper.begin(target, this, timeline, options);
    try {
      shipper = begun;
      look();
      begun.backUpFirst();
      goOn();
    } catch (RuntimeException | Error e) {
      new EveryStep().take(this::endKeepingFiles).take(begun::close).addTo(e);
      throw e;
    }
  }

  private synchronized void goOn() {
    if (closed) {
      throw closed();
    }
    started = true;
    thread.start();
  }

  /** The newest moment that was shipped; null before the first backup is complete. */
  @Nullable Instant shippedUntil() {
    return started ? until() : null;
  }

  private void shipUnlessClosed() {
    try {
      shipper().ship();
    } catch (StoreClosedException e) {
      // What is left is shipped by the thread that closes the store.
      if (!parts.guard().isClosed()) {
        throw e;
      }
    }
  }

  private LogShipper shipper() {
    return Objects.requireNonNull(shipper, "shipper");
  }

  @Override
  public void look() {
    inside(
        () -> {
          lookNow();
          return shipper;
        });
  }

  /**
   * Opens new files of the log, lets RocksDB delete what was not needed before the last call, and
   * notes the moment. The database must not be closed during the call.
   */
  void lookNow() {
    LogShipper running = shipper;
    synchronized (tail) {
      if (running != null && !ended) {
        tail.look();
        parts.database().opened().keepFiles();
        long sequence = parts.database().latestSequence();
        running.mark(sequence, now.get().toEpochMilli());
      }
    }
  }

  private void endKeepingFiles() {
    inside(
        () -> {
          synchronized (tail) {
            if (!ended) {
              ended = true;
              tail.close();
              parts.database().opened().endKeepingFiles();
            }
            return tail;
          }
        });
  }

  /** Runs a call while the database is open: until the store has closed this. */
  private <T extends @Nullable Object> T inside(Supplier<T> call) {
    if (!parts.guard().tryEnter()) {
      if (!closed) {
        parts.guard().check();
      }
      return call.get();
    }
    try {
      return call.get();
    } finally {
      parts.guard().leave();
    }
  }

  @Override
  public LogSource.Full backUp() {
    BackupOptions made = options.backups();
    return backUp.apply(made.stopWhen(() -> closed || made.stopWhen().getAsBoolean()));
  }

  @Override
  public void backUpSoon() {
    if (backingUp.compareAndSet(false, true) && !backupThread.execute(this::backUpNow)) {
      backingUp.set(false);
    }
  }

  private void backUpNow() {
    try {
      shipper().backUpIfDue();
    } catch (CancellationException | StoreClosedException e) {
      if (!closed) {
        throw e;
      }
    } finally {
      backingUp.set(false);
    }
  }

  @Override
  public long force() {
    return inside(parts.writePath()::syncLog);
  }

  @Override
  public @Nullable LogRecord read() {
    return tail.read();
  }

  @Override
  public byte[] classes() {
    return directory.classes();
  }

  @Override
  public boolean mayHoldCollections() {
    return directory.mayHoldCollections();
  }

  @Override
  public Instant until() {
    return shipper().until();
  }

  @Override
  public void ship() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    try {
      if (closed || !thread.execute(() -> ship(done))) {
        throw closed();
      }
      Object unused = CompletableFuture.anyOf(done, end).join();
    } catch (CompletionException e) {
      Upkeep.rethrow(e.getCause());
    }
  }

  private void ship(CompletableFuture<Void> done) {
    try {
      shipper().ship();
      done.complete(null);
    } catch (RuntimeException | Error e) {
      done.completeExceptionally(e);
      throw e;
    }
  }

  private StoreClosedException closed() {
    return new StoreClosedException(
        "The shipping of the store at " + directory.path() + " was closed; begin another one.");
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    thread.close();
    backupThread.close();
    end.completeExceptionally(closed());
    try {
      if (started) {
        shipRest();
      }
      LogShipper begun = shipper;
      new EveryStep()
          .take(this::endKeepingFiles)
          .take(
              () -> {
                if (begun != null) {
                  begun.close();
                }
              })
          .end();
    } catch (RuntimeException e) {
      LOG.warn("The shipping of the store at {} did not end as it should.", directory.path(), e);
    } finally {
      whenEnded.accept(this);
    }
  }

  /** Ships the rest, on an interrupted thread as well: threads are interrupted to end a program. */
  private void shipRest() {
    boolean interrupted = Thread.interrupted();
    boolean complete = false;
    RuntimeException failure = null;
    try {
      complete = shipper().shipRest();
    } catch (RuntimeException e) {
      failure = e;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    if (!complete) {
      LOG.error(
          "The newest changes of the store at {} were not shipped; the target has those until {}.",
          directory.path(),
          until(),
          failure);
    }
  }
}
