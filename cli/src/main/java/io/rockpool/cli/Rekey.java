package io.rockpool.cli;

import io.rockpool.Rockpool;
import io.rockpool.store.KeyRotationState;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code rekey}: encrypts a store again with new keys. */
@Command(
    name = "rekey",
    description = {
      "Gives an encrypted store and its names new keys, and encrypts all values again.",
      "If it is interrupted, run it again: it completes what was begun. Exit code 1 if a name could"
          + " not be encrypted again; the messages say why, and its older keys stay."
    })
final class Rekey extends ChangingVerb {
  private static final long PERIOD_MILLIS = 100;

  /** Without any progress for so long, what is left cannot be encrypted again. */
  private static final int MAX_IDLE_PERIODS = 300;

  @Option(names = "--progress", description = "Show the progress on the standard error.")
  boolean progress;

  @Override
  int change() throws InterruptedException {
    try (Rockpool pool = open()) {
      KeyRotationState state = pool.state().keyRotation();
      boolean isResumed = state.pendingNames() > 0;
      if (!isResumed) {
        pool.rotateKeys();
      }
      state = waitFor(pool, count(pool));
      output()
          .print(
              Output.row(
                  "resumed", isResumed,
                  "rewritten", state.rewrittenRecords(),
                  "left names", state.pendingNames()));
      return state.pendingNames() == 0 ? RockpoolCommand.DONE : RockpoolCommand.NO;
    }
  }

  /** The elements of all names, which are about as many as the records. */
  private static long count(Rockpool pool) {
    return pool.names().list().stream().mapToLong(name -> name.count().orElse(0)).sum();
  }

  private KeyRotationState waitFor(Rockpool pool, long elements) throws InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    ProgressLine line =
        progress || ProgressLine.isTerminal()
            ? new ProgressLine(err, records -> records + " records")
            : null;
    KeyRotationState before = pool.state().keyRotation();
    int idle = 0;
    while (before.pendingNames() > 0 && idle < MAX_IDLE_PERIODS) {
      if (line != null) {
        line.show(before.seenRecords(), Math.max(elements, before.seenRecords()));
      }
      Thread.sleep(PERIOD_MILLIS);
      KeyRotationState now = pool.state().keyRotation();
      idle = now.equals(before) ? idle + 1 : 0;
      before = now;
    }
    if (line != null) {
      line.end(before.seenRecords());
    }
    return before;
  }
}
