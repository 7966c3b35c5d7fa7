package io.rockpool.crash;

import io.rockpool.Rockpool;
import io.rockpool.StoreBackups;
import io.rockpool.backup.BackupInfo;
import io.rockpool.backup.BackupOptions;
import io.rockpool.backup.BackupTarget;
import io.rockpool.backup.DirectoryTarget;
import java.io.PrintStream;
import java.nio.file.Path;

/**
 * A process that makes backups of a growing store, prints the number of each, restores the last
 * one, and prints that.
 */
final class BackupSchedule {
  static final int BACKUPS = 5;
  static final int KEPT = 2;
  static final String RESTORED = "restored";

  private BackupSchedule() {}

  public static void main(String[] arguments) {
    PrintStream said = new PrintStream(System.out, true);
    BackupTarget target = DirectoryTarget.at(Path.of(arguments[1]));
    try (Rockpool pool = Rockpool.open(Path.of(arguments[0]))) {
      for (int round = 0; round < BACKUPS; round++) {
        pool.set("set", Integer.class).add(round);
        BackupInfo info = pool.backups().make(target, BackupOptions.defaults().keep(KEPT));
        said.println(info.number());
      }
    }
    StoreBackups.restore(target, Path.of(arguments[2]));
    said.println(RESTORED);
  }
}
