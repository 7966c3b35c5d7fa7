package io.rockpool.benchmarks;

import io.rockpool.Rockpool;
import io.rockpool.RockpoolBuilder;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.TypeRef;
import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.KeyProviders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What encryption adds to puts and to gets of entries that are not in memory: 100 bytes each. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EncryptionCost {
  private static final int VALUE_BYTES = 100;

  /** How many entries there are. */
  @Param("500000")
  public int entries;

  /** Whether values are encrypted. */
  @Param({"false", "true"})
  public boolean encrypted;

  private final SplittableRandom random = new SplittableRandom(1);
  private final byte[] value = new byte[VALUE_BYTES];
  private @Nullable Rockpool pool;
  private @Nullable PersistentCache<Long, byte[]> cache;

  /** Opens a temporary store and fills a cache that keeps next to nothing in memory. */
  @Setup
  public void open() throws IOException {
    RockpoolBuilder builder = Rockpool.temporary();
    if (encrypted) {
      Path keys = Files.createTempFile("rockpool", "keys");
      Files.writeString(keys, KeyProviders.newKey("benchmark"));
      builder.encryption(Encryption.with(KeyProviders.file(keys)));
      Files.delete(keys);
    }
    pool = builder.open();
    CacheOptions<Long, byte[]> options = CacheOptions.<Long, byte[]>defaults().hotEntries(1_000);
    cache = pool.cache("entries", TypeRef.of(Long.class), TypeRef.of(byte[].class), o -> options);
    random.ints(VALUE_BYTES, 0, 256).forEach(b -> value[b % VALUE_BYTES] = (byte) b);
    for (long key = 0; key < entries; key++) {
      cache.put(key, value);
    }
    for (long key = 0; key < entries; key++) {
      Object unused = cache.get(key);
    }
  }

  /** One get. */
  @Benchmark
  public byte @Nullable [] coldGet() {
    return Objects.requireNonNull(cache).get(random.nextLong(entries));
  }

  /** One put. */
  @Benchmark
  public void put() {
    Objects.requireNonNull(cache).put(random.nextLong(entries), value);
  }

  /** Deletes the store. */
  @TearDown
  public void close() {
    Objects.requireNonNull(pool).close();
  }
}
