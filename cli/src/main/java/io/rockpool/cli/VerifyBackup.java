package io.rockpool.cli;

import io.rockpool.Rockpool;
import io.rockpool.StoreBackups;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.store.VerifyReport;
import java.nio.file.Path;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code verify-backup}: restores a backup elsewhere and checks all of it. */
@Command(
    name = "verify-backup",
    description =
        "Restores a backup to a temporary directory and checks all of it. Exit code 1 if"
            + " something is wrong.")
@SuppressWarnings("NullAway.Init") // picocli sets the field
final class VerifyBackup extends TargetVerb {
  @Mixin KeyOptions keys;

  @Option(
      names = "--number",
      paramLabel = "NUMBER",
      description = "Which backup; the newest unless given.")
  long number;

  @Option(
      names = "--at",
      converter = Times.class,
      paramLabel = "TIME",
      description = "A point in time, such as 2026-01-31T12:00:00Z, from the backup and its log.")
  Instant at;

  @Option(
      names = "--scratch",
      paramLabel = "DIR",
      description = "Where to restore it; the system's temporary directory.")
  Path scratch = Path.of(System.getProperty("java.io.tmpdir"));

  @Override
  public Integer call() {
    try (Rockpool none = keys.addTo(Rockpool.at(options -> MemoryEngine.open())).open()) {
      VerifyReport report;
      if (at != null) {
        checkOne(number, at);
        report = none.backups().verify(backups(), at, scratch);
      } else {
        report = none.backups().verify(backups(), number == 0 ? newest() : number, scratch);
      }
      Verify.print(output(), report);
      return report.isClean() ? RockpoolCommand.DONE : RockpoolCommand.NO;
    }
  }

  private long newest() {
    return StoreBackups.list(backups()).stream()
        .mapToLong(backup -> backup.number())
        .max()
        .orElseThrow(
            () -> new IllegalArgumentException("There is no backup in " + target + " yet."));
  }
}
