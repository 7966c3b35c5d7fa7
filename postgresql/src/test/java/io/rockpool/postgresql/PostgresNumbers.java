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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Measures the engine on a server of its own, which forces each commit to disk: {@code java -cp ...
 * io.rockpool.postgresql.PostgresNumbers [seconds]}. The same statements through plain JDBC are
 * measured in the same run, because a busy machine changes all numbers alike.
 */
public final class PostgresNumbers {
  private static final int THREADS = 8;
  private static final int KEYS = 10_000;
  private static final byte[] VALUE = new byte[100];

  private final long nanos;
  private final PostgresServer server;
  private final HikariDataSource pool;

  private PostgresNumbers(int seconds) {
    nanos = TimeUnit.SECONDS.toNanos(seconds);
    server = PostgresServer.startNew("fsync=on", "synchronous_commit=on");
    pool = server.pool();
  }

  /** Prints a line for each number. */
  public static void main(String[] arguments) throws Exception {
    PostgresNumbers numbers =
        new PostgresNumbers(arguments.length == 0 ? 5 : Integer.parseInt(arguments[0]));
    try {
      numbers.measure();
    } finally {
      numbers.pool.close();
      numbers.server.delete();
    }
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(8).putInt(number).array();
  }

  private static byte[] anyKey() {
    return key(ThreadLocalRandom.current().nextInt(KEYS));
  }

  private double perSecond(IntConsumer work) throws InterruptedException {
    AtomicLong done = new AtomicLong();
    long start = System.nanoTime();
    Thread[] threads = new Thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      threads[i] =
          new Thread(
              () -> {
                while (System.nanoTime() - start < nanos) {
                  work.accept(thread);
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

  private void print(String what, IntConsumer work) throws InterruptedException {
    System.out.printf("%-32s %,10.0f /s%n", what, perSecond(work));
  }

  private void measure() throws Exception {
    PostgresOptions options = PostgresOptions.defaults();
    try (PostgresEngine engine = PostgresEngine.open(pool, options);
        PostgresEngine other = PostgresEngine.open(pool, options)) {
      Space entries = engine.create(new SpaceSpec("entries", Layout.ENTRIES, Map.of()));
      Space rows = engine.create(new SpaceSpec("rows", Layout.ROWS, Map.of()));
      entries.putAll(records(VALUE));
      rows.putAll(records(new byte[Long.BYTES]));
      server.execute("ANALYZE");
      for (int round = 0; round < 2; round++) {
        System.out.println(round == 0 ? "warm-up" : "measured");
        print("JDBC: select by key", thread -> select());
        print("get", thread -> entries.get(anyKey(), Space.NO_SORT_KEY));
        print("JDBC: upsert", thread -> upsert());
        print("put", thread -> put(entries));
        print("row transaction, other rows", thread -> increment(rows, anyKey()));
        hotRow(rows, round);
        feed(other, entries);
      }
    }
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
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT value FROM rockpool.entries WHERE generation ="
                    + " (SELECT generation FROM rockpool.spaces WHERE layout = 1)"
                    + " AND hash_key = ?")) {
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
        PreparedStatement statement =
            connection.prepareStatement(
                "INSERT INTO rockpool.entries VALUES (-1, ?, 1, 9223372036854775807, ?)"
                    + " ON CONFLICT (generation, hash_key) DO UPDATE SET value = excluded.value")) {
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

  private void hotRow(Space rows, int round) throws InterruptedException {
    byte[] hot = key(-1 - round);
    AtomicLong increments = new AtomicLong();
    print(
        "row transaction, one hot row",
        thread -> {
          increment(rows, hot);
          increments.incrementAndGet();
        });
    long sum = rows.transact(hot, PostgresNumbers::number);
    System.out.printf("  sum %d of %d%n", sum, increments.get());
  }

  /**
   * Puts of one handle with a listener on the other: speed, delay, and changes that are missing.
   */
  private void feed(PostgresEngine other, Space entries) throws InterruptedException {
    Map<ByteBuffer, Long> writtenNanos = new ConcurrentHashMap<>();
    Queue<Long> delays = new ConcurrentLinkedQueue<>();
    AtomicLong next = new AtomicLong(1_000_000);
    try (Registration registration =
        other.onChange(
            new ChangeListener() {
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
            })) {
      print(
          "put, heard by another handle",
          thread -> {
            byte[] key = key((int) next.incrementAndGet());
            ByteBuffer known = ByteBuffer.wrap(key);
            // Counted from the acknowledgement; a report may come before it.
            writtenNanos.put(known, System.nanoTime());
            entries.put(key, Space.NO_SORT_KEY, VALUE, Expiry.NEVER);
            writtenNanos.computeIfPresent(known, (any, before) -> System.nanoTime());
          });
      Thread.sleep(2_000);
    }
    long[] sorted = delays.stream().mapToLong(Long::longValue).sorted().toArray();
    System.out.printf(
        "  %d changes heard, %d missing, p50 %.1f ms, p99 %.1f ms%n",
        sorted.length,
        writtenNanos.size(),
        sorted[sorted.length / 2] / 1e6,
        sorted[sorted.length * 99 / 100] / 1e6);
    if (Arrays.stream(sorted).anyMatch(delay -> delay < 0)) {
      throw new AssertionError("A delay is negative.");
    }
  }
}
