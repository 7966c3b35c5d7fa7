package io.rockpool.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs {@link JCacheHot} for each provider, one after the other, each in a process of its own, and
 * writes how Rockpool's JSR-107 cache compares.
 */
public final class JCacheRatios {
  private static final Path OUTPUT = Path.of("docs", "benchmarks-jcache.md");

  private JCacheRatios() {}

  private record Score(double perSecond, double perCpuSecond) {}

  /** Runs, for three minutes, and writes {@code docs/benchmarks-jcache.md}. */
  public static void main(String[] arguments) throws RunnerException, IOException {
    StringBuilder text = new StringBuilder(heading());
    for (String what : new String[] {"get", "put"}) {
      Map<JCachePeer, Score> scores = new EnumMap<>(JCachePeer.class);
      for (boolean statistics : new boolean[] {false, true}) {
        for (JCachePeer peer : JCachePeer.values()) {
          if (peer != JCachePeer.DIRECT || !statistics) { // it always counts: once is enough
            scores.put(peer, run(what, peer, statistics));
          }
        }
        scores.forEach(
            (peer, score) ->
                text.append(line(what, statistics, peer, scores.get(JCachePeer.ROCKPOOL), score)));
      }
    }
    System.out.print(text);
    Files.writeString(OUTPUT, text);
  }

  private static String heading() {
    return String.format(
        Locale.ROOT,
        """
        # JSR-107 caches, hot

        Written by this command, after `mvn verify`:

        ```
        java -cp benchmarks/target/benchmarks.jar io.rockpool.benchmarks.JCacheRatios
        ```

        %,d entries with keys of 16 and values of %d bytes, all of which have room in memory; one thread; uniformly at random; a put
        replaces what is there. %d processors, Java %s. One run of each, so that a difference of a tenth means nothing.

        - `ROCKPOOL` is Rockpool's JSR-107 cache, `DIRECT` the `PersistentCache` below it, which always counts.
        - `CAFFEINE` is Caffeine's JSR-107 adapter: memory alone.
        - `EHCACHE` is Ehcache 3's, with a heap and a disk tier; a thread of its own writes to disk, and a killed process loses the tier.
        - `INFINISPAN` is Infinispan with its RocksDB store, by its own interface, each put written through.
        - Rockpool and Infinispan have each put in RocksDB's write-ahead log when it returns.

        | | statistics | who | ops/s | ops/s of processor time | ROCKPOOL is so many times as fast | by processor time |
        |---|---|---|---|---|---|---|
        """,
        JCacheHot.ENTRIES,
        Row.VALUE_BYTES,
        Runtime.getRuntime().availableProcessors(),
        Runtime.version().feature());
  }

  private static String line(
      String what, boolean statistics, JCachePeer peer, Score ours, Score theirs) {
    return String.format(
        Locale.ROOT,
        "| hot %s | %s | %s | %,.0f | %,.0f | %.2f | **%.2f** |%n",
        what,
        statistics ? "on" : "off",
        peer,
        theirs.perSecond(),
        theirs.perCpuSecond(),
        ours.perSecond() / theirs.perSecond(),
        ours.perCpuSecond() / theirs.perCpuSecond());
  }

  private static Score run(String what, JCachePeer peer, boolean statistics)
      throws RunnerException {
    RunResult result =
        new Runner(
                new OptionsBuilder()
                    .include(JCacheHot.class.getName() + "." + what + "$")
                    .param("peer", peer.name())
                    .param("statistics", Boolean.toString(statistics))
                    .addProfiler(CpuTime.class)
                    .verbosity(VerboseMode.SILENT)
                    .shouldFailOnError(true)
                    .build())
            .runSingle();
    Score score =
        new Score(
            result.getPrimaryResult().getScore(),
            result.getSecondaryResults().get(CpuTime.LABEL).getScore());
    System.err.printf(Locale.ROOT, "%s %s %s %,.0f/s%n", what, peer, statistics, score.perSecond());
    return score;
  }
}
