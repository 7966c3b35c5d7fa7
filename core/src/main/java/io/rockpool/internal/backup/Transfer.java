package io.rockpool.internal.backup;

import io.rockpool.backup.BackupOptions;
import io.rockpool.backup.BackupProgress;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The reads of a backup or restore: paced, counted, and ended when it is stopped. */
final class Transfer {
  static final int BUFFER_BYTES = 128 << 10;

  /** How long a stop is not noticed while the pace is kept. */
  private static final long MAX_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final BackupOptions options;
  private final Runnable check;
  private final long allFiles;
  private final long allBytes;
  private long files;
  private long bytes;

  /** When the bytes read so far are paid for. */
  private long paidNanos = System.nanoTime();

  /**
   * The reads of {@code allFiles} files.
   *
   * @param check throws if it must not continue
   */
  Transfer(BackupOptions options, Runnable check, long allFiles, long allBytes) {
    this.options = options;
    this.check = check;
    this.allFiles = allFiles;
    this.allBytes = allBytes;
  }

  /** Records that a file is done. */
  void done(long fileBytes) {
    files++;
    bytes += fileBytes;
    check();
    options.onProgress().accept(new BackupProgress(files, allFiles, bytes, allBytes));
  }

  /** Throws if the work must not continue. */
  void check() {
    check.run();
    if (Thread.currentThread().isInterrupted() || options.stopWhen().getAsBoolean()) {
      throw stopped(null);
    }
  }

  /** Says who stopped the work. Interrupts stay set, so the caller can see them, too. */
  static CancellationException stopped(@Nullable Throwable cause) {
    Thread thread = Thread.currentThread();
    CancellationException stopped =
        new CancellationException(
            "The backup or restore was stopped before it was complete, by "
                + (thread.isInterrupted()
                    ? "an interrupt of thread " + thread.getName()
                    : "BackupOptions.stopWhen")
                + ". Nothing of it counts. Start it again: a backup copies only what is missing.");
    stopped.initCause(cause);
    return stopped;
  }

  private void pace(int read) {
    check();
    long now = System.nanoTime();
    double nanos = (double) read * TimeUnit.SECONDS.toNanos(1) / options.bytesPerSecond();
    paidNanos = (paidNanos - now > 0 ? paidNanos : now) + (long) nanos;
    for (long rest = paidNanos - now; rest > 0; rest = paidNanos - System.nanoTime()) {
      LockSupport.parkNanos(this, Math.min(rest, MAX_REST_NANOS));
      check();
    }
  }

  /** The SHA-256 of the rest of a stream. */
  String sha256(InputStream in) throws IOException {
    MessageDigest digest = Sha256.digest();
    byte[] buffer = new byte[BUFFER_BYTES];
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      digest.update(buffer, 0, read);
      pace(read);
    }
    return Sha256.text(digest);
  }

  /**
   * A stream that throws at its end if its content is not that of {@code file}. Read it in large
   * parts.
   *
   * @param damage the exception, from what was found
   */
  InputStream checked(
      InputStream in, StoredFile file, Function<String, ? extends RuntimeException> damage) {
    return new CheckedInput(in, file, damage);
  }

  private final class CheckedInput extends FilterInputStream {
    private final MessageDigest digest = Sha256.digest();
    private final StoredFile file;
    private final Function<String, ? extends RuntimeException> damage;
    private long length;
    private boolean isAtEnd;

    private CheckedInput(
        InputStream in, StoredFile file, Function<String, ? extends RuntimeException> damage) {
      super(in);
      this.file = file;
      this.damage = damage;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int max) throws IOException {
      if (isAtEnd) {
        return -1; // the digest gives its result once
      }
      int read = super.read(target, offset, max);
      if (read < 0) {
        checkContent();
        isAtEnd = true;
      } else {
        digest.update(target, offset, read);
        length += read;
        pace(read);
      }
      return read;
    }

    private void checkContent() {
      if (length != file.bytes()) {
        throw damage.apply("has " + length + " bytes instead of " + file.bytes());
      }
      String found = Sha256.text(digest);
      if (!found.equals(file.sha256())) {
        throw damage.apply("has the SHA-256 " + found + " instead of " + file.sha256());
      }
    }

    @Override
    public boolean markSupported() {
      return false;
    }
  }
}
