package io.rockpool.cli;

import io.rockpool.Description;
import io.rockpool.Rockpool;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;

/** {@code count}: how many elements there are. */
@Command(
    name = "count",
    description = "Counts the elements of a name that have not expired. Reads all of them.")
final class Count extends NameVerb {
  @Override
  int run(Rockpool pool, Description described) {
    AtomicLong count = new AtomicLong();
    Elements.of(pool, described)
        .visit(
            element -> {
              count.incrementAndGet();
              return true;
            });
    output().print(Output.row("count", count.get()));
    return RockpoolCommand.DONE;
  }
}
