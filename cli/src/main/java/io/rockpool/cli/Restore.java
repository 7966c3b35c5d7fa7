package io.rockpool.cli;

import io.rockpool.StoreBackups;
import io.rockpool.backup.BackupInfo;
import io.rockpool.backup.RestoredMoment;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code restore}: makes a store of a backup. */
@Command(
    name = "restore",
    description = "Restores a backup to a directory that is empty or does not exist.")
@SuppressWarnings("NullAway.Init") // picocli sets the field
final class Restore extends TargetVerb {
  @Parameters(index = "1", paramLabel = "OUT", description = "The directory of the new store.")
  Path out;

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

  @Option(names = "--progress", description = "Show the progress on the standard error.")
  boolean progress;

  @Override
  public Integer call() {
    if (at != null) {
      checkOne(number, at);
      RestoredMoment restored =
          StoreBackups.restore(backups(), at, out, withProgress(spec, progress));
      output()
          .print(
              Output.row(
                  "moment", restored.moment().toString(), "number", restored.backup().number()));
      return RockpoolCommand.DONE;
    }
    List<BackupInfo> all = StoreBackups.list(backups());
    long wanted = number == 0 && !all.isEmpty() ? all.get(all.size() - 1).number() : number;
    output().print(row(StoreBackups.restore(backups(), wanted, out, withProgress(spec, progress))));
    return RockpoolCommand.DONE;
  }
}
