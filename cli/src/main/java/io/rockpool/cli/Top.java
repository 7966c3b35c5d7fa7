package io.rockpool.cli;

import io.rockpool.Description;
import io.rockpool.Rockpool;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code top}: the largest names. */
@Command(name = "top", description = "Shows the largest names of a store, the largest first.")
final class Top extends StoreVerb {
  @Option(
      names = "--by",
      paramLabel = "SIZE",
      defaultValue = "bytes",
      description = "bytes (the default), an estimate; or entries, which reads everything.")
  By by = By.BYTES;

  @Option(
      names = "--limit",
      paramLabel = "COUNT",
      defaultValue = "20",
      description = "How many; 20 by default.")
  int limit;

  /** What makes a name large. */
  enum By {
    BYTES,
    ENTRIES
  }

  /** A name with its size. */
  private record Sized(Description name, long size) {}

  @Override
  public Integer call() {
    try (Rockpool pool = read()) {
      List<Sized> all = new ArrayList<>();
      for (Description name : pool.names().list()) {
        all.add(new Sized(name, by == By.BYTES ? name.diskBytes().orElse(0) : entries(pool, name)));
      }
      Output output = output();
      all.stream()
          .sorted(Comparator.comparingLong(Sized::size).reversed())
          .limit(limit)
          .forEach(
              one ->
                  output.add(
                      Output.row(
                          by == By.BYTES ? "bytes" : "entries",
                          one.size(),
                          "name",
                          one.name().name(),
                          "type",
                          one.name().type())));
      output.end();
      return RockpoolCommand.DONE;
    }
  }

  private static long entries(Rockpool pool, Description name) {
    AtomicLong count = new AtomicLong();
    Elements.of(pool, name)
        .visit(
            element -> {
              count.incrementAndGet();
              return true;
            });
    return count.get();
  }
}
