package io.rockpool.benchmarks;

import io.rockpool.Rockpool;
import io.rockpool.queue.Delivery;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.SendOptions;
import io.rockpool.structure.PersistentDeque;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A message through a queue with acknowledgement, which is three transactions, beside an element
 * through a deque, which is two. 1,000 of 100 bytes wait.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 4, time = 2)
public class QueueDelivery {
  private static final int WAITING = 1_000;
  private static final int BATCH = 10;

  private final String message = "x".repeat(100);
  private final List<String> batch = Collections.nCopies(BATCH, message);
  private @Nullable Path directory;
  private @Nullable Rockpool pool;
  private @Nullable PersistentDeque<String> deque;
  private @Nullable PersistentQueue<String> queue;

  /** Opens both and fills them. */
  @Setup
  public void open() throws IOException {
    Files.createDirectories(PreparedStore.root());
    directory = Files.createTempDirectory(PreparedStore.root(), "delivery-");
    pool = Rockpool.open(directory);
    deque = pool.deque("deque", String.class);
    queue = pool.queue("queue", String.class);
    for (int i = 0; i < WAITING; i++) {
      deque.addLast(message);
      queue.send(message);
    }
  }

  /** Closes the store and deletes it. */
  @TearDown(Level.Trial)
  public void close() {
    Objects.requireNonNull(pool).close();
    PreparedStore.delete(Objects.requireNonNull(directory));
  }

  /** One element in, one out. */
  @Benchmark
  public String dequeOfferPoll() {
    PersistentDeque<String> there = Objects.requireNonNull(deque);
    there.addLast(message);
    return there.removeFirst();
  }

  /** One message sent, one received and acknowledged. */
  @Benchmark
  public String queueOneByOne() {
    PersistentQueue<String> there = Objects.requireNonNull(queue);
    there.send(message);
    Delivery<String> delivery = there.receive().orElseThrow();
    delivery.acknowledge();
    return delivery.message();
  }

  /** Ten messages sent, received and acknowledged, each in one transaction. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int queueByTen() {
    PersistentQueue<String> there = Objects.requireNonNull(queue);
    there.sendAll(batch, SendOptions.defaults());
    List<Delivery<String>> deliveries = there.receive(BATCH);
    there.acknowledgeAll(deliveries);
    return deliveries.size();
  }
}
