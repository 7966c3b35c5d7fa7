package io.rockpool.cli;

import io.rockpool.Rockpool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code stat}: the size of a store, once or again and again. */
@Command(
    name = "stat",
    description = "Shows names, bytes and files of a store; with --watch again and again.")
final class Stat extends StoreVerb {
  @Option(
      names = "--watch",
      paramLabel = "PERIOD",
      converter = Periods.class,
      description = "Show it again after each period, such as 1s or 5m.")
  @Nullable Duration watch;

  @Option(
      names = "--times",
      paramLabel = "COUNT",
      defaultValue = "0",
      description = "How often; 0 until interrupted.")
  long times;

  @Override
  public Integer call() throws Exception {
    Output output = output();
    for (long time = 1; ; time++) {
      try (Rockpool pool = read()) {
        output.add(
            Output.row(
                "time", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                "names", pool.names().list().size(),
                "bytes", pool.state().diskBytes(),
                "files", files(directory().resolve("db"))));
        output.end();
      }
      if (watch == null || time == times) {
        return RockpoolCommand.DONE;
      }
      Thread.sleep(watch.toMillis());
    }
  }

  private static long files(Path database) throws java.io.IOException {
    try (Stream<Path> all = Files.list(database)) {
      return all.count();
    }
  }
}
