package io.rockpool.cli;

import io.rockpool.Rockpool;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code drop}: removes a name. */
@Command(
    name = "drop",
    description = "Removes a name with all that it holds. Exit code 1 if there is none.")
@SuppressWarnings("NullAway.Init") // picocli sets the field
final class Drop extends ChangingVerb {
  @Parameters(index = "1", paramLabel = "NAME", description = "A name in the store; see ls.")
  String name;

  @Override
  int change() {
    try (Rockpool pool = open()) {
      boolean dropped = pool.names().drop(name);
      output().print(Output.row("dropped", dropped));
      return dropped ? RockpoolCommand.DONE : RockpoolCommand.NO;
    }
  }
}
