package io.rockpool.backup;

import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Options of a backup or a restore. Immutable: each method returns changed options, as in {@code
 * BackupOptions.defaults().keep(7).bytesPerSecond(20 << 20)}.
 *
 * @param keep how many backups the target keeps, the newest ones; older ones are deleted after this
 *     one is complete, but for one that a log continues which is being shipped
 * @param recheck whether to read each file again, in the store and in the target, and to replace
 *     what is damaged in the target; otherwise each file is read in one of 16 backups
 * @param takeOver whether to use a target whose newest backup is of another store; otherwise the
 *     backup is refused
 * @param bytesPerSecond how many bytes of files are read per second at the most, to compute their
 *     checksums and to copy them
 * @param onProgress receives the progress on the calling thread, after each file; an exception ends
 *     the work
 * @param stopWhen returns whether to stop; called at least for each 128 KiB
 */
public record BackupOptions(
    int keep,
    boolean recheck,
    boolean takeOver,
    long bytesPerSecond,
    Consumer<BackupProgress> onProgress,
    BooleanSupplier stopWhen) {
  private static final BackupOptions DEFAULTS =
      new BackupOptions(
          Integer.MAX_VALUE, false, false, Long.MAX_VALUE, progress -> {}, () -> false);

  /** Checks the arguments. */
  public BackupOptions {
    checkPositive(keep, "The number of kept backups");
    checkPositive(bytesPerSecond, "The number of bytes per second");
    Objects.requireNonNull(onProgress, "onProgress");
    Objects.requireNonNull(stopWhen, "stopWhen");
  }

  private static void checkPositive(long number, String what) {
    if (number < 1) {
      throw new IllegalArgumentException(what + " is " + number + "; use 1 or more.");
    }
  }

  /** Keeps all backups, as fast as possible; stops only if the thread is interrupted. */
  public static BackupOptions defaults() {
    return DEFAULTS;
  }

  /** Keeps so many backups, this one included. */
  public BackupOptions keep(int backups) {
    return new BackupOptions(backups, recheck, takeOver, bytesPerSecond, onProgress, stopWhen);
  }

  /**
   * With or without reading all files again. Do so after a backup was found damaged: a new one uses
   * the files that the target has.
   */
  public BackupOptions recheck(boolean all) {
    return new BackupOptions(keep, all, takeOver, bytesPerSecond, onProgress, stopWhen);
  }

  /**
   * Takes a target over from another store, or refuses to. From then on the other store is refused.
   * Its backups stay, but for those that {@link #keep} deletes. A store that was restored from a
   * backup is the same store; a salvaged one, or an empty one that replaced it, is another.
   */
  public BackupOptions takeOver(boolean fromAnotherStore) {
    return new BackupOptions(keep, recheck, fromAnotherStore, bytesPerSecond, onProgress, stopWhen);
  }

  /** Reads at most so many bytes per second. */
  public BackupOptions bytesPerSecond(long bytes) {
    return new BackupOptions(keep, recheck, takeOver, bytes, onProgress, stopWhen);
  }

  /** With this progress listener. */
  public BackupOptions onProgress(Consumer<BackupProgress> listener) {
    return new BackupOptions(keep, recheck, takeOver, bytesPerSecond, listener, stopWhen);
  }

  /** With this stop condition, besides an interrupt of the thread: {@code stopped::get}. */
  public BackupOptions stopWhen(BooleanSupplier condition) {
    return new BackupOptions(keep, recheck, takeOver, bytesPerSecond, onProgress, condition);
  }
}
