package io.rockpool.cli;

import io.rockpool.Rockpool;
import picocli.CommandLine.Command;

/** {@code backups}: what a target has. */
@Command(name = "backups", description = "Lists the backups in a target, the oldest first.")
final class Backups extends TargetVerb {
  @Override
  public Integer call() {
    Output output = output();
    Rockpool.backups(backups()).forEach(backup -> output.add(row(backup)));
    output.end();
    return RockpoolCommand.DONE;
  }
}
