package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.EncryptionExtension;
import io.rockpool.Rockpool;
import io.rockpool.store.VerifyReport;
import io.rockpool.testing.Slow;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process in which producers hand over to consumers is killed at a random instant, again and
 * again: each element that was put is there, or was taken once.
 */
@Slow
class DequeCrashTest {
  private static final int ROUNDS = 4;
  private static final int MAX_MILLIS_TO_LIVE = 300;

  @TempDir Path directory;

  /** What a process said it had done. */
  private static final class Acknowledged {
    final Set<Long> put = new HashSet<>();
    final List<Long> taken = new ArrayList<>();
  }

  @Test
  @Timeout(120)
  void handsOverExactlyOnce() throws Exception {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    Set<Long> before = new HashSet<>();
    Set<Long> takenBefore = new HashSet<>();
    for (int round = 0; round < ROUNDS; round++) {
      Acknowledged said = runAndKill(round, random.nextInt(MAX_MILLIS_TO_LIVE));
      try (Rockpool pool = Rockpool.open(directory)) {
        String context = "seed %d, round %d".formatted(seed, round);
        PersistentDeque<Long> todo = pool.deque(HandingOver.TODO, Long.class);
        PersistentDeque<Long> done = pool.deque(HandingOver.DONE, Long.class);
        List<Long> found = new ArrayList<>(todo);
        assertThat(todo).as(context).hasSize(found.size());
        assertInOrder(context, found);
        found.addAll(done);
        assertThat(found).as(context).doesNotHaveDuplicates();
        takenBefore.addAll(said.taken);
        assertThat(said.taken).as(context).doesNotHaveDuplicates();
        assertThat(found).as("%s: taken and still there", context).noneMatch(takenBefore::contains);
        Set<Long> missing = new HashSet<>(before);
        missing.addAll(said.put);
        Set<Long> unsaid = new HashSet<>(found);
        unsaid.removeAll(missing);
        assertThat(unsaid)
            .as("%s: put, but not said", context)
            .hasSizeLessThanOrEqualTo(HandingOver.THREADS);
        missing.removeAll(found);
        said.taken.forEach(missing::remove);
        assertThat(missing)
            .as("%s: taken, but not said", context)
            .hasSizeLessThanOrEqualTo(HandingOver.THREADS);
        takenBefore.addAll(missing);
        before = new HashSet<>(found);
        VerifyReport report = pool.verify();
        assertThat(report.isClean()).as("%s: %s", context, report).isTrue();
      }
    }
    assertThat(takenBefore).as("elements taken in all rounds").hasSizeGreaterThan(ROUNDS);
  }

  /** What one producer has put is in its order. */
  private static void assertInOrder(String context, List<Long> found) {
    Map<Long, Long> last = new HashMap<>();
    for (long number : found) {
      Long earlier = last.put(HandingOver.producer(number), number);
      assertThat(earlier == null || earlier < number)
          .as("%s: %d in order", context, number)
          .isTrue();
    }
  }

  private Acknowledged runAndKill(int round, int millis) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Stream.of(
                        List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path")),
                        EncryptionExtension.before(),
                        List.of(
                            HandingOver.class.getName(),
                            directory.toString(),
                            Integer.toString(round)))
                    .flatMap(List::stream)
                    .toList())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    Acknowledged said = new Acknowledged();
    Thread killer = null;
    try (DataInputStream in = new DataInputStream(process.getInputStream())) {
      while (true) {
        long number = in.readLong();
        if (number > 0) {
          said.put.add(number);
        } else {
          said.taken.add(-number);
        }
        if (killer == null) {
          killer = new Thread(() -> killAfter(process, millis));
          killer.start();
        }
      }
    } catch (EOFException end) {
      assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
      assertThat(killer).as("killer of a process that said something").isNotNull();
    } finally {
      process.destroyForcibly();
    }
    return said;
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
}
