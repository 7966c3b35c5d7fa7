package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.engine.Durability;
import io.rockpool.engine.VerifyReport;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A process that writes is killed at a random instant, again and again: what it had acknowledged is
 * there.
 */
class CacheCrashTest {
  private static final int ROUNDS = 20;
  private static final int MAX_MILLIS_TO_LIVE = 200;

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "BUFFERED, true", "BUFFERED, false",
    "PERIODIC, true", "PERIODIC, false",
    "SYNC, true", "SYNC, false"
  })
  void nothingAcknowledgedIsLost(Durability durability, boolean hot) throws Exception {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    Map<String, String> model = new TreeMap<>();
    long acknowledged = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long roundSeed = seed + round;
      long[] acks = runAndKill(durability, hot, roundSeed, random.nextInt(MAX_MILLIS_TO_LIVE));
      Map<String, String> surelyThere = model;
      Map<String, String> perhapsThere = new TreeMap<>(model);
      for (int thread = 0; thread < CrashingWriter.THREADS; thread++) {
        CrashingWriter.Steps steps = new CrashingWriter.Steps(roundSeed, thread);
        for (long i = 0; i < acks[thread]; i++) {
          CrashingWriter.Step step = steps.next();
          step.applyTo(surelyThere);
          step.applyTo(perhapsThere);
          acknowledged++;
        }
        steps.next().applyTo(perhapsThere);
      }
      Map<String, String> found = contents(hot);
      String context = "seed %d, round %d".formatted(seed, round);
      Map<String, String> all = new HashMap<>(surelyThere);
      all.putAll(perhapsThere);
      all.putAll(found);
      for (String key : all.keySet()) {
        assertThat(found.get(key))
            .as("%s, key %s", context, key)
            .isIn(surelyThere.get(key), perhapsThere.get(key));
      }
      model = new TreeMap<>(found);
    }
    assertThat(acknowledged).as("steps acknowledged in all rounds").isGreaterThan(ROUNDS);
  }

  /**
   * Starts a writer, kills it some time after its first acknowledgement, and returns how many each
   * thread sent.
   */
  private long[] runAndKill(Durability durability, boolean hot, long seed, int millis)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    CrashingWriter.class.getName(),
                    directory.toString(),
                    durability.name(),
                    Boolean.toString(hot),
                    Long.toString(seed)))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    long[] acks = new long[CrashingWriter.THREADS];
    try (DataInputStream in = new DataInputStream(process.getInputStream())) {
      Thread killer = null;
      while (true) {
        acks[in.readByte()]++;
        if (killer == null) {
          killer = new Thread(() -> killAfter(process, millis));
          killer.start();
        }
      }
    } catch (EOFException end) {
      assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return acks;
  }

  private static void killAfter(Process process, int millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    // Process.destroyForcibly would also close the pipe, and what is still in it with that.
    process.toHandle().destroyForcibly();
  }

  private Map<String, String> contents(boolean hot) {
    Map<String, String> contents = new TreeMap<>();
    try (Rockpool pool = Rockpool.open(directory)) {
      CrashingWriter.open(pool, hot)
          .forEach(entry -> contents.put(entry.getKey(), entry.getValue()));
      VerifyReport report = pool.verify();
      assertThat(report.isClean()).as(report.toString()).isTrue();
    }
    return contents;
  }
}
