package io.rockpool.cli;

import io.rockpool.Rockpool;
import io.rockpool.backup.BackupOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code backup}: makes a backup of a store, which may be open. */
@Command(
    name = "backup",
    description = {
      "Makes a backup of a store as it is now. A process may have the store open.",
      "Copies the files that the target does not have yet. A backup is complete or not there."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the field
final class BackUp extends StoreVerb {
  @Parameters(index = "1", paramLabel = "TARGET", description = TargetVerb.TARGET)
  String target;

  @Option(
      names = "--keep",
      paramLabel = "COUNT",
      description = "Delete all but so many backups, the oldest first.")
  int keep;

  @Option(
      names = "--bytes-per-second",
      paramLabel = "BYTES",
      description = "Read no faster than this.")
  long bytesPerSecond;

  @Option(
      names = "--take-over",
      description = "Use a target even if its newest backup is of another store.")
  boolean takeOver;

  @Option(names = "--progress", description = "Show the progress on the standard error.")
  boolean progress;

  @Override
  public Integer call() {
    BackupOptions options = TargetVerb.withProgress(spec, progress).takeOver(takeOver);
    options = keep == 0 ? options : options.keep(keep);
    options = bytesPerSecond == 0 ? options : options.bytesPerSecond(bytesPerSecond);
    try (Rockpool pool = read()) {
      output().print(TargetVerb.row(pool.backups().make(TargetVerb.backups(target), options)));
      return RockpoolCommand.DONE;
    }
  }
}
