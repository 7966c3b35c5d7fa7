package io.rockpool.cli;

import io.rockpool.StoreBackups;
import io.rockpool.backup.RestorableTimes;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code backups}: what a target has. */
@Command(name = "backups", description = "Lists the backups in a target, the oldest first.")
final class Backups extends TargetVerb {
  @Option(names = "--times", description = "List the times that restore --at can restore instead.")
  boolean times;

  @Override
  public Integer call() {
    Output output = output();
    if (times) {
      StoreBackups.restorableTimes(backups()).forEach(range -> output.add(row(range)));
      output.end();
      return RockpoolCommand.DONE;
    }
    StoreBackups.list(backups()).forEach(backup -> output.add(row(backup)));
    output.end();
    return RockpoolCommand.DONE;
  }

  private static Map<String, Object> row(RestorableTimes range) {
    return Output.row("from", range.from().toString(), "until", range.until().toString());
  }
}
