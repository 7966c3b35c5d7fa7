package io.rockpool.benchmarks;

import io.rockpool.Rockpool;
import io.rockpool.RockpoolBuilder;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.TypeRef;
import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.KeyProviders;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.stream.DoubleStream;
import javax.crypto.Cipher;

/**
 * Compares an encrypted store with a clear one: puts, and gets of entries that are not in memory,
 * of 100 bytes each. Prints the ratios with the provider of the JDK, and with each provider whose
 * class is an argument:
 *
 * <pre>{@code
 * java -cp benchmarks.jar:PROVIDER.jar io.rockpool.benchmarks.EncryptionRatios 7 300000 PROVIDER_CLASS
 * }</pre>
 *
 * <p>Each provider has a process of its own in each round, so that the compiler sees one provider.
 * A process measures the two stores in turn, and takes the processor time of the calling thread: it
 * hardly depends on what else the machine does.
 */
public final class EncryptionRatios {
  static final String OF_JDK = "JDK";

  /** The first argument of a process that measures one provider. */
  private static final String MEASURE = "measure";

  private static final int VALUE_BYTES = 100;
  private static final int CALLS = 10_000;
  private static final int TURNS = 31;
  private static final int WARM_UP_TURNS = 15;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private EncryptionRatios() {}

  /** Nanoseconds of one call: of a get and a put, of the clear and the encrypted store. */
  record Cost(double clearGet, double get, double clearPut, double put) {
    static Cost parse(String line) {
      double[] all = Arrays.stream(line.split(" ")).mapToDouble(Double::parseDouble).toArray();
      return new Cost(all[0], all[1], all[2], all[3]);
    }

    String line() {
      return clearGet + " " + get + " " + clearPut + " " + put;
    }

    double getRatio() {
      return get / clearGet;
    }

    double putRatio() {
      return put / clearPut;
    }
  }

  /** Measures. The arguments are the numbers of rounds and entries, and classes of providers. */
  public static void main(String[] arguments) throws Exception {
    int entries = Integer.parseInt(arguments[1]);
    if (arguments[0].equals(MEASURE)) {
      System.out.println(measure(entries, arguments[2]).line());
      return;
    }
    int rounds = Integer.parseInt(arguments[0]);
    List<String> providers = new ArrayList<>(List.of(OF_JDK));
    providers.addAll(List.of(arguments).subList(2, arguments.length));
    Map<String, List<Cost>> costs = new LinkedHashMap<>();
    providers.forEach(provider -> costs.put(provider, new ArrayList<>()));
    for (int round = 1; round <= rounds; round++) {
      for (String provider : providers) {
        Cost cost = inAnotherProcess(entries, provider);
        System.err.printf(Locale.ROOT, "round %d of %d: %s: %s%n", round, rounds, provider, cost);
        costs.get(provider).add(cost);
      }
      Collections.reverse(providers);
    }
    System.out.println("| provider | get, ns | encrypted | ratio | put, ns | encrypted | ratio |");
    System.out.println("|---|---|---|---|---|---|---|");
    costs.forEach(EncryptionRatios::print);
  }

  private static void print(String provider, List<Cost> costs) {
    System.out.printf(
        Locale.ROOT,
        "| %s | %.0f | %.0f | %s | %.0f | %.0f | %s |%n",
        provider.substring(provider.lastIndexOf('.') + 1),
        median(costs.stream().mapToDouble(Cost::clearGet)),
        median(costs.stream().mapToDouble(Cost::get)),
        spread(costs.stream().mapToDouble(Cost::getRatio).toArray()),
        median(costs.stream().mapToDouble(Cost::clearPut)),
        median(costs.stream().mapToDouble(Cost::put)),
        spread(costs.stream().mapToDouble(Cost::putRatio).toArray()));
  }

  /** The median, and the least and the greatest. */
  private static String spread(double[] ratios) {
    return String.format(
        Locale.ROOT,
        "%.3f (%.3f to %.3f)",
        median(Arrays.stream(ratios)),
        Arrays.stream(ratios).min().orElseThrow(),
        Arrays.stream(ratios).max().orElseThrow());
  }

  private static double median(DoubleStream numbers) {
    double[] sorted = numbers.sorted().toArray();
    return sorted[sorted.length / 2];
  }

  private static Cost inAnotherProcess(int entries, String provider) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                EncryptionRatios.class.getName(),
                MEASURE,
                "" + entries,
                provider)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = process.inputReader()) {
      String line = out.readLine();
      if (process.waitFor() != 0 || line == null) {
        throw new IOException("A process that measures " + provider + " failed; see its output.");
      }
      return Cost.parse(line);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Installs a provider, for good, and measures. */
  static Cost measure(int entries, String provider) throws Exception {
    if (!provider.equals(OF_JDK)) {
      Provider installed =
          Class.forName(provider).asSubclass(Provider.class).getDeclaredConstructor().newInstance();
      Security.insertProviderAt(installed, 1);
      Provider used = Cipher.getInstance("AES/GCM/NoPadding").getProvider();
      if (!used.getName().equals(installed.getName())) {
        throw new IllegalStateException(provider + " was installed, but AES comes from " + used);
      }
    }
    try (Rockpool clear = open(false);
        Rockpool encrypted = open(true)) {
      List<PersistentCache<Long, byte[]>> caches =
          List.of(filled(clear, entries), filled(encrypted, entries));
      double[][] times = new double[4][TURNS];
      byte[] value = value();
      for (int turn = -WARM_UP_TURNS; turn < TURNS; turn++) {
        for (int each = 0; each < 2; each++) {
          int at = turn % 2 == 0 ? each : 1 - each;
          PersistentCache<Long, byte[]> cache = caches.get(at);
          double get = nanosOfCall(turn, entries, cache::get);
          double put = nanosOfCall(turn, entries, key -> cache.put(key, value));
          if (turn >= 0) {
            times[at][turn] = get;
            times[2 + at][turn] = put;
          }
        }
      }
      double[] medians = Arrays.stream(times).mapToDouble(t -> median(Arrays.stream(t))).toArray();
      return new Cost(medians[0], medians[1], medians[2], medians[3]);
    }
  }

  /** Processor time of a call, with the same random keys for the same turn. */
  private static double nanosOfCall(int turn, int entries, LongConsumer call) {
    SplittableRandom random = new SplittableRandom(turn);
    int calls = Math.min(entries, CALLS);
    long before = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < calls; i++) {
      call.accept(random.nextLong(entries));
    }
    return (double) (THREADS.getCurrentThreadCpuTime() - before) / calls;
  }

  private static Rockpool open(boolean encrypted) throws IOException {
    RockpoolBuilder builder = Rockpool.temporary();
    if (encrypted) {
      Path keys = Files.createTempFile("rockpool", "keys");
      Files.writeString(keys, KeyProviders.newKey("benchmark"));
      builder.encryption(Encryption.with(KeyProviders.file(keys)));
      Rockpool pool = builder.open();
      Files.delete(keys);
      return pool;
    }
    return builder.open();
  }

  private static PersistentCache<Long, byte[]> filled(Rockpool pool, int entries) {
    CacheOptions<Long, byte[]> options = CacheOptions.<Long, byte[]>defaults().hotEntries(1_000);
    PersistentCache<Long, byte[]> cache =
        pool.cache("entries", TypeRef.of(Long.class), TypeRef.of(byte[].class), o -> options);
    byte[] value = value();
    for (long key = 0; key < entries; key++) {
      cache.put(key, value);
    }
    return cache;
  }

  private static byte[] value() {
    byte[] value = new byte[VALUE_BYTES];
    new SplittableRandom(1).nextBytes(value);
    return value;
  }
}
