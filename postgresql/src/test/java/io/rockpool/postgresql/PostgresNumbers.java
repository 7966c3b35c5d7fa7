package io.rockpool.postgresql;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.engine.ChangeListener;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.store.Registration;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Measures the engine on a server of its own, which forces each commit to disk: {@code java -cp ...
 * io.rockpool.postgresql.PostgresNumbers [seconds] [rounds]}. The same statements through plain
 * JDBC are measured in alternation, because a busy machine changes all numbers alike. There is a
 * table for the server itself, one with a longer way to it, and one for each mode of PgBouncer.
 */
public final class PostgresNumbers {
  private static final int THREADS = 8;
  private static final int KEYS = 10_000;
  private static final byte[] VALUE = new byte[100];
  private static final long DELAY_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
  private static final String SELECT = "JDBC: select by key";
  private static final String UPSERT = "JDBC: upsert";

  private final long nanos;
  private final int rounds;
  private final HikariDataSource pool;
  private final String schema;
  private final String selectSql;
  private final String upsertSql;

  private PostgresNumbers(int seconds, int rounds, HikariDataSource pool, String schema) {
    this.nanos = TimeUnit.SECONDS.toNanos(seconds);
    this.rounds = rounds;
    this.pool = pool;
    this.schema = schema;
    selectSql =
        "SELECT value FROM $.entries WHERE generation = (SELECT generation FROM $.spaces"
            .concat(" WHERE layout = 1) AND hash_key = ?")
            .replace("$.", schema + ".");
    upsertSql =
        "INSERT INTO $.entries VALUES (-1, ?, 1, 9223372036854775807, ?)"
            .concat(" ON CONFLICT (generation, hash_key) DO UPDATE SET value = excluded.value")
            .replace("$.", schema + ".");
  }

  /** Prints the tables. */
  public static void main(String[] arguments) throws Exception {
    int seconds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2;
    int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
    PostgresServer server = PostgresServer.startNew("fsync=on", "synchronous_commit=on");
    try {
      table("The server itself", server, server.url(), seconds, rounds);
      try (CuttingProxy proxy = new CuttingProxy(server.port())) {
        proxy.delayRoundTrips(DELAY_NANOS);
        String url = PostgresServer.url(proxy.port());
        table("0.5 ms more for each round trip", server, url, seconds, rounds);
      }
      try (PgBouncer bouncer = PgBouncer.start(server, "session")) {
        String url = PostgresServer.url(bouncer.port());
        table("PgBouncer, session mode", server, url, seconds, rounds);
      }
      try (PgBouncer bouncer = PgBouncer.start(server, "transaction")) {
        String url = PostgresServer.url(bouncer.port()) + "&prepareThreshold=0";
        table("PgBouncer, transaction mode", server, url, seconds, rounds);
      }
    } finally {
      server.delete();
    }
  }

  private static void table(
      String title, PostgresServer server, String url, int seconds, int rounds) throws Exception {
    System.out.printf("%n%s; %d threads, median of %d rounds%n", title, THREADS, rounds);
    String schema = PostgresServer.newSchema();
    try (HikariDataSource pool = PostgresServer.pool(url)) {
      new PostgresNumbers(seconds, rounds, pool, schema).measure(server);
    }
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(8).putInt(number).array();
  }

  private static byte[] anyKey() {
    return key(ThreadLocalRandom.current().nextInt(KEYS));
  }

  private double perSecond(Runnable work) throws InterruptedException {
    AtomicLong done = new AtomicLong();
    long start = System.nanoTime();
    Thread[] threads = new Thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
      threads[i] =
          new Thread(
              () -> {
                while (System.nanoTime() - start < nanos) {
                  work.run();
                  done.incrementAndGet();
                }
              });
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return done.get() * 1e9 / (System.nanoTime() - start);
  }

  private void measure(PostgresServer server) throws Exception {
    PostgresOptions options = PostgresOptions.defaults().schema(schema);
    try (PostgresEngine engine = PostgresEngine.open(pool, options);
        PostgresEngine other = PostgresEngine.open(pool, options)) {
      Space entries = engine.create(new SpaceSpec("entries", Layout.ENTRIES, Map.of()));
      Space rows = engine.create(new SpaceSpec("rows", Layout.ROWS, Map.of()));
      entries.putAll(records(VALUE));
      rows.putAll(records(new byte[Long.BYTES]));
      server.execute("ANALYZE");
      byte[] hot = key(-1);
      AtomicLong increments = new AtomicLong();
      Map<String, Runnable> subjects = new LinkedHashMap<>();
      subjects.put(SELECT, this::select);
      subjects.put("get", () -> entries.get(anyKey(), Space.NO_SORT_KEY));
      subjects.put(UPSERT, this::upsert);
      subjects.put("put", () -> put(entries));
      subjects.put("row transaction, other rows", () -> increment(rows, anyKey()));
      subjects.put(
          "row transaction, one hot row",
          () -> {
            increment(rows, hot);
            increments.incrementAndGet();
          });
      Map<String, List<Double>> measured = new LinkedHashMap<>();
      for (int round = 0; round <= rounds; round++) {
        for (Map.Entry<String, Runnable> subject : subjects.entrySet()) {
          double perSecond = perSecond(subject.getValue());
          if (round > 0) { // after a warm-up
            measured.computeIfAbsent(subject.getKey(), any -> new ArrayList<>()).add(perSecond);
          }
        }
      }
      double select = median(measured.get(SELECT));
      double upsert = median(measured.get(UPSERT));
      measured.forEach(
          (what, all) ->
              print(
                  what, median(all), what.equals(SELECT) || what.equals("get") ? select : upsert));
      long sum = rows.transact(hot, PostgresNumbers::number);
      System.out.printf("  sum of the hot row %d of %d%n", sum, increments.get());
      feed(other, entries);
    }
  }

  private static double median(List<Double> all) {
    List<Double> sorted = all.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }

  private static void print(String what, double perSecond, double base) {
    System.out.printf("%-32s %,10.0f /s %6.2f%n", what, perSecond, perSecond / base);
  }

  private static List<RowRecord> records(byte[] value) {
    return IntStream.range(0, KEYS)
        .mapToObj(i -> new RowRecord(key(i), Space.NO_SORT_KEY, value, Expiry.NEVER))
        .toList();
  }

  private static void put(Space space) {
    space.put(anyKey(), Space.NO_SORT_KEY, VALUE, Expiry.NEVER);
  }

  private void select() {
    try (Connection connection = pool.getConnection();
        PreparedStatement statement = connection.prepareStatement(selectSql)) {
      statement.setBytes(1, anyKey());
      try (ResultSet result = statement.executeQuery()) {
        result.next();
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private void upsert() {
    try (Connection connection = pool.getConnection();
        PreparedStatement statement = connection.prepareStatement(upsertSql)) {
      statement.setBytes(1, anyKey());
      statement.setBytes(2, VALUE);
      statement.executeUpdate();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static long increment(Space space, byte[] row) {
    return space.transact(
        row,
        r -> {
          long next = number(r) + 1;
          r.put(Space.NO_SORT_KEY, ByteBuffer.allocate(8).putLong(next).array(), Expiry.NEVER);
          return next;
        });
  }

  private static long number(Row row) {
    RowRecord record = row.get(Space.NO_SORT_KEY);
    return record == null ? 0 : ByteBuffer.wrap(record.value()).getLong();
  }

  /**
   * Puts of new entries by one handle, with and without a listener on the other: speed, delay, and
   * changes that are missing.
   */
  private void feed(PostgresEngine other, Space entries) throws InterruptedException {
    Heard heard = new Heard();
    AtomicLong next = new AtomicLong(1_000_000);
    Runnable put =
        () -> {
          byte[] key = key((int) next.incrementAndGet());
          heard.putting(key);
          entries.put(key, Space.NO_SORT_KEY, VALUE, Expiry.NEVER);
          heard.wasPut(key);
        };
    List<Double> without = new ArrayList<>();
    List<Double> with = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      without.add(perSecond(put));
      heard.writtenNanos.clear();
      try (Registration registration = other.onChange(heard)) {
        with.add(perSecond(put));
        Thread.sleep(2_000);
      }
      heard.missing += heard.writtenNanos.size();
      heard.writtenNanos.clear();
    }
    print("put of a new entry", median(without), median(without));
    print("the same, heard by another", median(with), median(without));
    long[] sorted = heard.delays.stream().mapToLong(Long::longValue).sorted().toArray();
    System.out.printf(
        "  %d changes heard, %d missing, p50 %.1f ms, p99 %.1f ms%n",
        sorted.length,
        heard.missing,
        sorted[sorted.length / 2] / 1e6,
        sorted[sorted.length * 99 / 100] / 1e6);
    if (Arrays.stream(sorted).anyMatch(delay -> delay < 0)) {
      throw new AssertionError("A delay is negative.");
    }
  }

  /** What a listener heard of puts. */
  private static final class Heard implements ChangeListener {
    final Map<ByteBuffer, Long> writtenNanos = new ConcurrentHashMap<>();
    final Queue<Long> delays = new ConcurrentLinkedQueue<>();
    long missing;

    void putting(byte[] key) {
      writtenNanos.put(ByteBuffer.wrap(key), System.nanoTime());
    }

    /** Counts from the acknowledgement; a report may come before it. */
    void wasPut(byte[] key) {
      writtenNanos.computeIfPresent(ByteBuffer.wrap(key), (any, before) -> System.nanoTime());
    }

    @Override
    public void rowChanged(String space, byte[] hashKey) {
      Long written = writtenNanos.remove(ByteBuffer.wrap(hashKey));
      if (written != null) {
        delays.add(System.nanoTime() - written);
      }
    }

    @Override
    public void spaceChanged(String space) {}

    @Override
    public void spaceEnded(String space) {}

    @Override
    public void feedLost() {
      System.out.println("  feed lost");
    }

    @Override
    public void feedRegained() {}
  }
}
