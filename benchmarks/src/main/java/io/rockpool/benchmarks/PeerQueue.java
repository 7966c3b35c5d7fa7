package io.rockpool.benchmarks;

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
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Messages of 100 bytes that are sent, received and acknowledged while 1,000 others wait. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 4, time = 2)
public class PeerQueue {
  private static final int WAITING = 1_000;
  private static final int BATCH = 10;

  /** Who takes part. */
  @Param({"ROCKPOOL", "SQLITE", "REDIS"})
  public CollectionPeer peer;

  private final List<byte[]> one = List.of(new byte[Row.VALUE_BYTES]);
  private final List<byte[]> ten = Collections.nCopies(BATCH, new byte[Row.VALUE_BYTES]);
  private @Nullable Path directory;
  private @Nullable PeerCollections open;
  private PeerCollections.@Nullable Messages messages;

  /** Opens the queue and fills it. */
  @Setup
  public void open() throws IOException {
    Files.createDirectories(PreparedStore.root());
    directory = Files.createTempDirectory(PreparedStore.root(), "messages-");
    open = peer.open(directory);
    messages = open.messages();
    messages.send(Collections.nCopies(WAITING, new byte[Row.VALUE_BYTES]));
  }

  /** Closes the queue and deletes its store. */
  @TearDown(Level.Trial)
  public void close() {
    Objects.requireNonNull(open).close();
    PreparedStore.delete(Objects.requireNonNull(directory));
  }

  /** One message in each call. */
  @Benchmark
  public int oneByOne() {
    return pass(one);
  }

  /** Ten messages in each call. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int byTen() {
    return pass(ten);
  }

  private int pass(List<byte[]> sent) {
    PeerCollections.Messages there = Objects.requireNonNull(messages);
    there.send(sent);
    int handled = there.handle(sent.size());
    if (handled != sent.size()) {
      throw new IllegalStateException(handled + " messages were received.");
    }
    return handled;
  }
}
