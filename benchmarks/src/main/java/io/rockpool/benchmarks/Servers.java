package io.rockpool.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.lettuce.core.RedisClient;
import io.lettuce.core.TrackingArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.rockpool.Rockpool;
import io.rockpool.benchmarks.Alternation.Subject;
import io.rockpool.cache.PersistentCache;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Measures caches on Redis and PostgreSQL, beside the bare clients and Redisson, on one machine.
 */
@Command(
    name = "Servers",
    description =
        "Measures caches on servers: hot and cold calls, when other instances see a write, clears.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
public final class Servers implements Callable<Integer> {
  private static final int INSTANCES = 3;
  private static final int BATCH = 1_000;
  private static final byte[] VALUE = new byte[100];
  private static final String HEADER = "call | threads | subject | per second | of the first";
  private static final String REDIS = "Redis";
  private static final String POSTGRES = "PostgreSQL";

  /** A bare client to which the server reports changes, and the prefix of its keys. */
  private static final String TOLD_LETTUCE = "Lettuce with CLIENT TRACKING";

  private static final String TOLD = "told-";

  @Option(names = "--keys", description = "how many entries are read and written")
  private int keys = 10_000;

  @Option(names = "--entries", description = "how many entries are cleared")
  private int entries = 1_000_000;

  @Option(names = "--rounds", description = "how often each number is measured")
  private int rounds = 15;

  @Option(names = "--millis", description = "how long one measurement takes")
  private long millis = 500;

  @Option(names = "--invalidations", description = "how many writes another instance waits for")
  private int invalidations = 2_000;

  @Option(names = "--output", description = "where to write the tables besides the console")
  private Path output = Path.of("docs", "benchmarks-servers.md");

  @Spec private @Nullable CommandSpec spec;

  private final Report report = new Report();
  private final List<String> invalidationRows = new ArrayList<>();
  private final List<String> clearRows = new ArrayList<>();

  /** What reads and writes the entry of a key. */
  private record Client(String name, Consumer<String> get, Consumer<String> put) {}

  private Servers() {}

  /** Runs; {@code --help} says what with. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  static int run(String... args) {
    return new CommandLine(new Servers()).execute(args);
  }

  @Override
  public Integer call() throws Exception {
    report.machine(
        "Caches on servers",
        Servers.class,
        Objects.requireNonNull(spec).commandLine().getParseResult().originalArgs());
    report.text(
        String.format(
            Locale.ROOT,
            "The servers run on the same machine, on loopback, and write their logs to disk: Redis"
                + " with appendonly once a second, PostgreSQL with synchronous_commit. Keys are"
                + " strings, values 100 bytes, %,d entries. Each number is the median of %d rounds of"
                + " %d ms, in which all subjects take turns, after ten that warm up.",
            keys,
            rounds,
            millis));
    if (RedisServer.isInstalled()) {
      redis();
    }
    if (PostgresCluster.isInstalled()) {
      postgres();
    }
    report.section(
        "When another instance sees a write",
        String.format(
            Locale.ROOT,
            "One instance writes, another one reads the same key from its memory until it has the new"
                + " value; %,d times. From the return of the write.",
            invalidations),
        "cache | p50 ms | p99 ms");
    invalidationRows.forEach(row -> report.row("%s", row));
    report.section(
        "Clears and size",
        String.format(
                Locale.ROOT,
                "A cache of %,d entries with values of 100 bytes is cleared once; the bytes are those of",
                entries)
            + " the server, of memory on Redis, of tables and indexes on PostgreSQL.",
        "cache | clear ms | bytes per entry");
    clearRows.forEach(row -> report.row("%s", row));
    System.out.println(report);
    Files.writeString(output, report.toString());
    return 0;
  }

  private static String key(int number) {
    return "key-" + (1_000_000_000 + number);
  }

  private String anyKey() {
    return key(ThreadLocalRandom.current().nextInt(keys));
  }

  private static PersistentCache<String, byte[]> hot(Rockpool pool) {
    return pool.cache("hot", String.class, byte[].class);
  }

  private static PersistentCache<String, byte[]> cold(Rockpool pool) {
    return pool.cache("cold", String.class, byte[].class, o -> o.hotEntries(0));
  }

  private static void fill(PersistentCache<String, byte[]> cache, int count) {
    for (int from = 0; from < count; from += BATCH) {
      Map<String, byte[]> batch = new HashMap<>();
      IntStream.range(from, Math.min(count, from + BATCH))
          .forEach(number -> batch.put(key(number), VALUE));
      cache.putAll(batch);
    }
  }

  private void redis() throws Exception {
    Path directory = Files.createTempDirectory("rockpool-redis");
    try (RedisServer server = new RedisServer(directory);
        Rockpool embedded = Rockpool.temporary().open();
        RedissonInstances redisson = new RedissonInstances(server.port(), INSTANCES)) {
      URI uri = URI.create("redis://127.0.0.1:" + server.port());
      RedisClient client = RedisClient.create(uri.toString());
      List<Rockpool> pools = List.of();
      try (StatefulRedisConnection<byte[], byte[]> connection =
              client.connect(ByteArrayCodec.INSTANCE);
          StatefulRedisConnection<byte[], byte[]> told = client.connect(ByteArrayCodec.INSTANCE)) {
        RedisCommands<byte[], byte[]> commands = connection.sync();
        String unused =
            told.sync()
                .clientTracking(TrackingArgs.Builder.enabled().bcast().noloop().prefixes(TOLD));
        cold(REDIS, uri, bare("Lettuce", "", commands), bare(TOLD_LETTUCE, TOLD, told.sync()));
        pools = instances(uri);
        hot(REDIS, pools.get(0), embedded);
        redisson(pools, redisson);
        invalidations(REDIS, pools);
        invalidationRows.add(
            "Redisson's local cached map | "
                + Alternation.percentiles(
                    timesUntilSeen(
                        (key, value) -> redisson.map(0).fastPut(key, value),
                        (key, old) -> redisson.map(1).get(key))));
        clears(REDIS, pools.get(0), () -> memory(commands));
      } finally {
        pools.forEach(Rockpool::close);
        client.shutdown();
      }
    } finally {
      try (var files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /** A client that reads and writes keys of this prefix, which are filled in. */
  private Client bare(String name, String prefix, RedisCommands<byte[], byte[]> commands) {
    Client bare =
        new Client(
            name,
            key -> commands.get(bytes(prefix + key)),
            key -> commands.set(bytes(prefix + key), VALUE));
    IntStream.range(0, keys).mapToObj(Servers::key).forEach(bare.put());
    return bare;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static long memory(RedisCommands<byte[], byte[]> commands) {
    return commands
        .info("memory")
        .lines()
        .filter(line -> line.startsWith("used_memory:"))
        .mapToLong(line -> Long.parseLong(line.substring("used_memory:".length()).strip()))
        .sum();
  }

  private static List<Rockpool> instances(URI uri) {
    return IntStream.range(0, INSTANCES).mapToObj(any -> Rockpool.open(uri)).toList();
  }

  private void postgres() throws Exception {
    try (PostgresCluster server = new PostgresCluster();
        Rockpool embedded = Rockpool.temporary().open();
        HikariDataSource source = source(server)) {
      execute(source, "CREATE TABLE bare (key bytea PRIMARY KEY, value bytea NOT NULL)");
      for (int number = 0; number < keys; number++) {
        upsert(source, key(number));
      }
      cold(
          POSTGRES,
          server.uri(),
          new Client("JDBC", key -> select(source, key), key -> upsert(source, key)));
      List<Rockpool> pools = instances(server.uri());
      try {
        hot(POSTGRES, pools.get(0), embedded);
        invalidations(POSTGRES, pools);
        clears(POSTGRES, pools.get(0), () -> size(source));
      } finally {
        pools.forEach(Rockpool::close);
      }
    }
  }

  private static HikariDataSource source(PostgresCluster server) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(server.url());
    return new HikariDataSource(config);
  }

  private static void execute(HikariDataSource source, String sql) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void select(HikariDataSource source, String key) {
    try (Connection connection = source.getConnection();
        PreparedStatement statement =
            connection.prepareStatement("SELECT value FROM bare WHERE key = ?")) {
      statement.setBytes(1, bytes(key));
      try (ResultSet result = statement.executeQuery()) {
        result.next();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void upsert(HikariDataSource source, String key) {
    try (Connection connection = source.getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                "INSERT INTO bare VALUES (?, ?)"
                    + " ON CONFLICT (key) DO UPDATE SET value = excluded.value")) {
      statement.setBytes(1, bytes(key));
      statement.setBytes(2, VALUE);
      statement.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long size(HikariDataSource source) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery("SELECT pg_total_relation_size('rockpool.entries')")) {
      result.next();
      return result.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void hot(String server, Rockpool pool, Rockpool embedded) throws InterruptedException {
    PersistentCache<String, byte[]> remote = hot(pool);
    PersistentCache<String, byte[]> local = hot(embedded);
    String[] hotKeys = IntStream.range(0, 1_000).mapToObj(Servers::key).toArray(String[]::new);
    for (String key : hotKeys) {
      remote.put(key, VALUE);
      local.put(key, VALUE);
      remote.get(key);
      local.get(key);
    }
    report.section("Hot gets: " + server, "1,000 entries in memory; one thread.", HEADER);
    rows(
        "get",
        new Alternation(rounds, millis, 1)
            .measure(
                List.of(
                    new Subject("Rockpool, embedded", any -> local.get(next(hotKeys))),
                    new Subject("Rockpool on " + server, any -> remote.get(next(hotKeys))))));
  }

  private static String next(String[] keys) {
    return keys[ThreadLocalRandom.current().nextInt(keys.length)];
  }

  private void rows(String call, Map<String, Double> measured) {
    rows(call, 1, measured);
  }

  private void rows(String call, int threads, Map<String, Double> measured) {
    double first = measured.values().iterator().next();
    measured.forEach(
        (subject, perSecond) ->
            report.row(
                "%s | %d | %s | %,.0f | %.2f",
                call, threads, subject, perSecond, perSecond / first));
  }

  private void cold(String server, URI uri, Client... bare) throws InterruptedException {
    report.section(
        "Cold calls: " + server,
        "One instance of Rockpool without a hot tier, so each call is one of the server's; the"
            + " bare client beside it reads and writes its own entries of the same size."
            + (bare.length > 1
                ? " The server also reports changes to Rockpool, and to the second of the bare"
                    + " clients: what it takes to note each change is not in the first one's calls."
                : ""),
        HEADER);
    try (Rockpool pool = Rockpool.open(uri)) {
      PersistentCache<String, byte[]> cache = cold(pool);
      fill(cache, keys);
      List<Client> clients = new ArrayList<>(List.of(bare));
      clients.add(new Client("Rockpool", cache::get, key -> cache.put(key, VALUE)));
      for (int threads : new int[] {1, 8}) {
        Alternation alternation = new Alternation(rounds, millis, threads);
        rows("get", threads, alternation.measure(subjects(clients, Client::get)));
        rows("put", threads, alternation.measure(subjects(clients, Client::put)));
      }
    }
  }

  private List<Subject> subjects(List<Client> clients, Function<Client, Consumer<String>> call) {
    return clients.stream()
        .map(client -> new Subject(client.name(), any -> call.apply(client).accept(anyKey())))
        .toList();
  }

  /** Each thread is an instance, with its own memory. */
  private void redisson(List<Rockpool> pools, RedissonInstances redisson)
      throws InterruptedException {
    List<PersistentCache<String, byte[]>> caches = pools.stream().map(Servers::hot).toList();
    String[] hotKeys = IntStream.range(0, 1_000).mapToObj(Servers::key).toArray(String[]::new);
    for (String key : hotKeys) {
      // A read of an absent key would ask the server each time.
      redisson.map(0).fastPut(key, VALUE);
      redisson.cache(0).put(key, VALUE);
      caches.get(0).put(key, VALUE);
    }
    report.section(
        "Three instances: Rockpool and Redisson " + Versions.of("redisson"),
        "Three instances with one thread each; 1,000 entries; the free edition of Redisson. Of"
            + " mixed calls, 1 of 20 is a put, and the rest are gets.",
        HEADER);
    for (String call : List.of("get", "mixed", "put")) {
      int puts = call.equals("get") ? 0 : call.equals("put") ? 20 : 1;
      List<Subject> subjects =
          List.of(
              subject(
                  "Redisson's local cached map",
                  puts,
                  hotKeys,
                  (thread, key) -> redisson.map(thread).get(key),
                  (thread, key) -> redisson.map(thread).fastPut(key, VALUE)),
              subject(
                  "Redisson's JCache",
                  puts,
                  hotKeys,
                  (thread, key) -> redisson.cache(thread).get(key),
                  (thread, key) -> redisson.cache(thread).put(key, VALUE)),
              subject(
                  "Rockpool",
                  puts,
                  hotKeys,
                  (thread, key) -> caches.get(thread).get(key),
                  (thread, key) -> caches.get(thread).put(key, VALUE)));
      rows(call, INSTANCES, new Alternation(rounds, millis, INSTANCES).measure(subjects));
    }
  }

  private static Subject subject(
      String name,
      int puts,
      String[] hotKeys,
      BiConsumer<Integer, String> get,
      BiConsumer<Integer, String> put) {
    return new Subject(
        name,
        thread -> {
          boolean writes = ThreadLocalRandom.current().nextInt(20) < puts;
          (writes ? put : get).accept(thread, next(hotKeys));
        });
  }

  private void invalidations(String server, List<Rockpool> pools) {
    PersistentCache<String, byte[]> writing = hot(pools.get(0));
    PersistentCache<String, byte[]> reading = hot(pools.get(1));
    invalidationRows.add(
        "Rockpool on "
            + server
            + " | "
            + Alternation.percentiles(
                timesUntilSeen(writing::put, (key, old) -> reading.get(key))));
  }

  private long[] timesUntilSeen(
      BiConsumer<String, byte[]> write, BiFunction<String, byte[], byte[]> read) {
    long[] times = new long[invalidations];
    byte[] old = {0, 0};
    write.accept(key(0), old);
    for (int i = 0; i < times.length; i++) {
      byte[] value = {(byte) (i + 1), (byte) ((i + 1) >> 8)};
      while (!Arrays.equals(read.apply(key(0), old), old)) {
        Thread.onSpinWait();
      }
      write.accept(key(0), value);
      long written = System.nanoTime();
      while (!Arrays.equals(read.apply(key(0), old), value)) {
        Thread.onSpinWait();
      }
      times[i] = System.nanoTime() - written;
      old = value;
    }
    return times;
  }

  private void clears(String server, Rockpool pool, Callable<Long> bytes) throws Exception {
    PersistentCache<String, byte[]> cache = cold(pool);
    cache.clear();
    pool.reclaim();
    long before = bytes.call();
    fill(cache, entries);
    double each = (double) (bytes.call() - before) / entries;
    long begun = System.nanoTime();
    cache.clear();
    double clearMillis = (System.nanoTime() - begun) / 1e6;
    if (cache.get(key(0)) != null) {
      throw new IllegalStateException("The cache was not cleared.");
    }
    clearRows.add(
        String.format(Locale.ROOT, "Rockpool on %s | %.1f | %,.0f", server, clearMillis, each));
  }
}
