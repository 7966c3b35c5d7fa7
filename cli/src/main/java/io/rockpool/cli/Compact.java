package io.rockpool.cli;

import io.rockpool.Rockpool;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.engine.EngineUpkeep;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code compact}: rewrites all files of a store. */
@Command(
    name = "compact",
    description = {
      "Removes expired elements and the data of dropped names, and rewrites all files of the store,"
          + " so that they are as small as can be.",
      "Needs up to as much free disk space as the store has. It can be interrupted at any time."
    })
final class Compact extends ChangingVerb {
  @Option(names = "--progress", description = "Show the progress on the standard error.")
  boolean progress;

  @Override
  int change() throws Exception {
    Path files = directory().resolve("db");
    try (Rockpool pool = open()) {
      long before = pool.state().diskBytes();
      pool.reclaim();
      try (FileProgress shown =
          FileProgress.of(
              files, progress || ProgressLine.isTerminal() ? spec.commandLine().getErr() : null)) {
        EngineUpkeep.of(Internals.store(pool).engine()).compact();
        shown.done();
      }
      output().print(Output.row("bytes before", before, "bytes", pool.state().diskBytes()));
      return RockpoolCommand.DONE;
    }
  }
}
