package io.rockpool.benchmarks;

import io.rockpool.benchmarks.Rounds.Score;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Runs {@link SpringHot} for each cache that is there, one after the other, each in a process of
 * its own, and writes how Rockpool's Spring cache compares.
 */
public final class SpringRatios {
  private static final Path OUTPUT = Path.of("docs", "benchmarks-spring.md");

  private SpringRatios() {}

  /** Runs, for two minutes, and writes {@code docs/benchmarks-spring.md}. */
  public static void main(String[] arguments) throws RunnerException, IOException {
    StringBuilder text = new StringBuilder(heading());
    for (String what : new String[] {"hit", "put"}) {
      Map<SpringPeer, Score> scores = new EnumMap<>(SpringPeer.class);
      for (SpringPeer peer : SpringPeer.values()) {
        if (peer.isThere()) {
          scores.put(peer, run(what, peer));
        }
      }
      for (SpringPeer peer : SpringPeer.values()) {
        text.append(line(what, peer, scores));
      }
    }
    System.out.print(text);
    Files.writeString(OUTPUT, text);
  }

  private static String heading() {
    return String.format(
        Locale.ROOT,
        """
        # Spring's @Cacheable, hot

        Written by this command, after `mvn verify`:

        ```
        java -cp benchmarks/target/benchmarks.jar io.rockpool.benchmarks.SpringRatios
        ```

        Methods with `@Cacheable` and `@CachePut`, called through Spring's proxy: %,d entries, whose values are records of a text of %d
        characters, an id and a number; one thread; uniformly at random. %d processors, Java %s. One run of each, so that a difference of a tenth means
        nothing. The proxy alone is part of all numbers.

        - `ROCKPOOL` has room in memory for all entries, and gives each caller a value of its own; `ROCKPOOL_DISK` has none in memory.
        - `CAFFEINE` is Spring's own Caffeine cache: memory alone, lost with the process, one instance for all callers.
        - `REDIS` is Spring Data Redis as it comes, with JDK serialization and Lettuce, on a server on this machine that logs each change as Rockpool does. Its
          processor time is not among the numbers, only the client's.

        | | who | ops/s | ops/s of processor time | ROCKPOOL is so many times as fast | by processor time |
        |---|---|---|---|---|---|
        """,
        SpringHot.ENTRIES,
        Row.VALUE_BYTES,
        Runtime.getRuntime().availableProcessors(),
        Runtime.version().feature());
  }

  private static String line(String what, SpringPeer peer, Map<SpringPeer, Score> scores) {
    Score ours = scores.get(SpringPeer.ROCKPOOL);
    Score theirs = scores.get(peer);
    return theirs == null
        ? String.format(Locale.ROOT, "| %s | %s | is not installed | | | |%n", what, peer)
        : String.format(
            Locale.ROOT,
            "| %s | %s | %,.0f | %,.0f | %.2f | **%.2f** |%n",
            what,
            peer,
            theirs.perSecond(),
            theirs.perCpuSecond(),
            ours.perSecond() / theirs.perSecond(),
            ours.perCpuSecond() / theirs.perCpuSecond());
  }

  private static Score run(String what, SpringPeer peer) throws RunnerException {
    RunResult result =
        new Runner(
                Rounds.options(SpringHot.class, what, SpringHot.ENTRIES)
                    .param("peer", peer.name())
                    .addProfiler(CpuTime.class)
                    .build())
            .runSingle();
    Score score =
        new Score(
            result.getPrimaryResult().getScore(),
            result.getSecondaryResults().get(CpuTime.LABEL).getScore());
    System.err.printf(Locale.ROOT, "%s %s %,.0f/s%n", what, peer, score.perSecond());
    return score;
  }
}
