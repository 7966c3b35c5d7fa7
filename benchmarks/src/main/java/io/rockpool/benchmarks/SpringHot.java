package io.rockpool.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * Hits of a {@code @Cacheable} method, and puts by a {@code @CachePut} one, through Spring's proxy:
 * uniformly at random, in one thread.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class SpringHot {
  /** Room for twice the entries: a tier that admits by likelihood has no reason to refuse any. */
  private static final int ROOM = 2;

  /** As many as in {@link JCacheHot}. */
  static final int ENTRIES = JCacheHot.ENTRIES;

  /** How many entries there are. */
  @Param("" + ENTRIES)
  public int entries;

  /** Whose caches take part. */
  @Param({"ROCKPOOL", "ROCKPOOL_DISK", "CAFFEINE", "REDIS"})
  public SpringPeer peer;

  private int[] indexes = {};
  private int at;
  private String[] ids = {};
  private Quotes.Quote[] quotes = {};
  private @Nullable Path directory;
  private @Nullable AnnotationConfigApplicationContext context;
  private @Nullable Quotes service;

  /** Puts every entry, and reads it. */
  @Setup
  public void open() throws IOException {
    Files.createDirectories(PreparedStore.root());
    directory = Files.createTempDirectory(PreparedStore.root(), "spring-");
    Data data = new Data(entries, Row.VALUE_BYTES);
    indexes = Data.uniform(entries);
    ids = new String[entries];
    quotes = new Quotes.Quote[entries];
    context = peer.open(directory, ROOM * entries);
    service = context.getBean(Quotes.class);
    for (int i = 0; i < entries; i++) {
      ids[i] = data.keyAt(i);
      quotes[i] = new Quotes.Quote(ids[i], data.valueAt(i), i);
      service.save(ids[i], quotes[i]);
    }
    for (int i = 0; i < entries; i++) {
      if (!quotes[i].equals(service.quote(ids[i]))) {
        throw new IllegalStateException(peer + " has lost entry " + i + ".");
      }
    }
  }

  /** Closes the application and deletes its files. */
  @TearDown(Level.Trial)
  public void close() {
    Objects.requireNonNull(context).close();
    PreparedStore.delete(Objects.requireNonNull(directory));
  }

  private int next() {
    return indexes[at++ & Data.SEQUENCE - 1];
  }

  /** One hit. */
  @Benchmark
  public Quotes.Quote hit() {
    return service.quote(ids[next()]);
  }

  /** One put in the place of what is there. */
  @Benchmark
  public Quotes.Quote put() {
    int index = next();
    return service.save(ids[index], quotes[index]);
  }
}
