package io.rockpool.cli;

import io.rockpool.Rockpool;
import io.rockpool.store.Reclaimed;
import picocli.CommandLine.Command;

/** {@code reclaim}: removes now what a store removes in the background. */
@Command(
    name = "reclaim",
    description = "Removes expired elements and the data of dropped names from the disk now.")
final class Reclaim extends ChangingVerb {
  @Override
  int change() {
    try (Rockpool pool = open()) {
      Reclaimed reclaimed = pool.reclaim();
      output()
          .print(
              Output.row(
                  "cleared names", reclaimed.clears(),
                  "cleared bytes", reclaimed.clearedBytes(),
                  "expired records", reclaimed.expiredRecords()));
      return RockpoolCommand.DONE;
    }
  }
}
