package io.rockpool.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A queue that stays as long as it is: one element is put at its end, one taken from its front.
 * Started by itself, it shows the course over time while removed elements pile up, not an average.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
      "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
      "--add-opens=java.base/java.io=ALL-UNNAMED",
      "--add-opens=java.base/java.lang=ALL-UNNAMED",
      "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
      "--add-opens=java.base/java.nio=ALL-UNNAMED",
      "--add-opens=java.base/java.util=ALL-UNNAMED",
      "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED"
    }) // Chronicle Queue wants them
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 4, time = 2)
public class QueueOfferPoll {
  private static final int ELEMENT_BYTES = 100;
  private static final int PAIRS = 1_000_000;
  private static final int SLICE = 100_000;

  /** Beyond this a slice is given up: it would take hours. */
  private static final int MAX_SLICE_SECONDS = 20;

  /** How many elements wait in the queue. */
  @Param("1000")
  public int waiting;

  /** Who takes part. */
  @Param({"SCAN", "ROCKPOOL", "MVSTORE", "MVSTORE_COMMIT", "CHRONICLE", "REDIS"})
  public CollectionPeer peer;

  private final byte[] element = new byte[ELEMENT_BYTES];
  private @Nullable PeerCollections open;
  private PeerCollections.@Nullable Queue queue;
  private @Nullable Path directory;

  /** Opens the queue and fills it. */
  @Setup
  public void open() throws IOException {
    Files.createDirectories(PreparedStore.root());
    directory = Files.createTempDirectory(PreparedStore.root(), "queue-");
    open = peer.open(directory);
    queue = open.queue();
    for (int i = 0; i < waiting; i++) {
      queue.offer(element);
    }
  }

  /** Closes the queue and deletes its store. */
  @TearDown(Level.Trial)
  public void close() {
    Objects.requireNonNull(open).close();
    PreparedStore.delete(Objects.requireNonNull(directory));
  }

  /** One element in, one out. */
  @Benchmark
  public byte @Nullable [] offerAndPoll() {
    PeerCollections.Queue there = Objects.requireNonNull(queue);
    there.offer(element);
    return there.poll();
  }

  /** Prints the time of each 100,000 of a million pairs, with the ends looked for and known. */
  public static void main(String[] args) throws IOException {
    for (CollectionPeer peer : List.of(CollectionPeer.SCAN, CollectionPeer.ROCKPOOL)) {
      QueueOfferPoll run = new QueueOfferPoll();
      run.waiting = 1_000;
      run.peer = peer;
      run.open();
      boolean bearable = true;
      for (int done = 0; done < PAIRS && bearable; done += SLICE) {
        long start = System.nanoTime();
        int pairs = 0;
        while (pairs < SLICE && bearable) {
          run.offerAndPoll();
          pairs++;
          bearable = System.nanoTime() - start < TimeUnit.SECONDS.toNanos(MAX_SLICE_SECONDS);
        }
        double micros = (System.nanoTime() - start) / 1e3 / pairs;
        System.out.printf(
            Locale.ROOT, "%s %,d pairs: %.1f us a pair%n", peer, done + pairs, micros);
      }
      run.close();
    }
  }
}
