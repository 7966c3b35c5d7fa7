package io.rockpool.crash;

import io.rockpool.Rockpool;
import io.rockpool.StoreBackups;
import io.rockpool.backup.BackupInfo;
import io.rockpool.backup.BackupOptions;
import io.rockpool.backup.BackupTarget;
import io.rockpool.backup.DirectoryTarget;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CountDownLatch;

/**
 * The process that is killed while it makes backups, or while it restores one. Its threads count in
 * the store. For each backup it prints how far each thread has come before, and at the end the
 * backup's number and how far each thread can have come.
 */
final class BackupVictim {
  static final String BACK_UP = "back up";
  static final String RESTORE = "restore";
  static final String BEGIN = "begin";
  static final String DONE = "done";
  static final String FAILED = "failed";

  static final int KEPT = 3;

  /** So that files are written and compacted within a second. */
  private static final long MEMORY_BYTES = 8L << 20;

  private static final long SLOW_BYTES_PER_SECOND = 20L << 20;

  private final PrintStream said = new PrintStream(System.out, true);
  private final CountDownLatch atWork = new CountDownLatch(Counting.THREADS);

  public static void main(String[] arguments) throws InterruptedException {
    BackupVictim victim = new BackupVictim();
    BackupTarget target = DirectoryTarget.at(Path.of(arguments[1]));
    Path directory = Path.of(arguments[2]);
    try {
      if (arguments[0].equals(RESTORE)) {
        victim.restore(target, directory);
      } else {
        victim.backUp(target, directory, Long.parseLong(arguments[3]));
      }
    } catch (RuntimeException e) {
      victim.failed(e);
    }
  }

  private void restore(BackupTarget target, Path directory) {
    said.println(BEGIN);
    BackupInfo info = StoreBackups.restore(target, directory);
    said.println(DONE + " " + info.number());
  }

  private void backUp(BackupTarget target, Path directory, long seed) throws InterruptedException {
    Rockpool pool = Rockpool.at(directory).memoryBytes(MEMORY_BYTES).open();
    Counting counting = new Counting(pool);
    counting.resume();
    for (int thread = 0; thread < Counting.THREADS; thread++) {
      int number = thread;
      new Thread(() -> count(counting, number)).start();
    }
    atWork.await();
    Random random = new Random(seed);
    while (true) {
      BackupOptions options = BackupOptions.defaults().keep(KEPT);
      said.println(BEGIN + " " + counting.acknowledged());
      BackupInfo info =
          pool.backups()
              .make(
                  target,
                  random.nextBoolean() ? options : options.bytesPerSecond(SLOW_BYTES_PER_SECOND));
      said.println(DONE + " " + info.number() + " " + counting.acknowledged());
    }
  }

  private void count(Counting counting, int thread) {
    try {
      counting.step(thread);
      atWork.countDown();
      while (true) {
        counting.step(thread);
      }
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  private void failed(RuntimeException e) {
    e.printStackTrace();
    said.println(FAILED);
  }
}
