package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.testing.Slow;
import io.rockpool.testing.Threads;
import io.rockpool.testing.Threads.Running;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Transactions on a row that another handle writes all the time: they lock it, and end. */
@Slow
@Needs(Tool.POSTGRESQL)
final class ContendedRowTest {
  private static final byte[] ROW = bytes("row");
  private static final byte[] KEY = {};

  private final String schema = PostgresServer.newSchema();
  private final PostgresServer server = PostgresServer.running();
  private HikariDataSource pool;
  private PostgresEngine other;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @BeforeEach
  void open() {
    pool = server.pool();
    other = PostgresEngine.open(pool, options());
  }

  @AfterEach
  void close() throws Exception {
    other.close();
    pool.close();
    server.execute("DROP SCHEMA " + schema + " CASCADE");
  }

  private PostgresOptions options() {
    return PostgresOptions.defaults().schema(schema);
  }

  private Space create(Layout layout) {
    return other.create(new SpaceSpec("space", layout, Map.of()));
  }

  private static Space open(PostgresEngine engine) {
    return Objects.requireNonNull(engine.open("space"));
  }

  private static long number(Row row) {
    RowRecord record = row.get(KEY);
    return record == null ? 0 : Long.parseLong(new String(record.value(), StandardCharsets.UTF_8));
  }

  private static long increment(Row row) {
    long next = number(row) + 1;
    row.put(KEY, bytes(Long.toString(next)), Expiry.NEVER);
    return next;
  }

  /** A write of the other handle in each run, by the same thread, until the row is locked. */
  private static final class Disturbance {
    private final Runnable write;
    private int writes;
    private boolean locked;

    Disturbance(Runnable write) {
      this.write = write;
    }

    void run() {
      assertThat(writes).as("runs with conflicts").isLessThan(20);
      locked = false;
      try {
        write.run();
        writes++;
      } catch (IllegalStateException e) {
        assertThat(e).hasMessageContaining("another handle of the same store");
        locked = true;
      }
    }
  }

  private static Disturbance writing(Space there) {
    return new Disturbance(() -> there.transact(ROW, ContendedRowTest::increment));
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void aLongTransactionCommitsAlthoughOthersWriteItsRow(Layout layout) throws Exception {
    Space there = create(layout);
    AtomicBoolean done = new AtomicBoolean();
    List<Running<Boolean>> writers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      writers.add(
          Threads.start(
              () -> {
                while (!done.get()) {
                  there.put(ROW, KEY, bytes("1"), Expiry.NEVER);
                }
                return true;
              }));
    }
    AtomicInteger runs = new AtomicInteger();
    try (PostgresEngine engine = PostgresEngine.open(pool, options())) {
      long result =
          open(engine)
              .transact(
                  ROW,
                  row -> {
                    assertThat(runs.incrementAndGet()).isLessThan(20);
                    long found = number(row);
                    sleep(30);
                    row.put(KEY, bytes(Long.toString(found + 1)), Expiry.NEVER);
                    return found;
                  });
      assertThat(result).isLessThan(2);
    } finally {
      done.set(true);
    }
    for (Running<Boolean> writer : writers) {
      assertThat(writer.result()).isTrue();
    }
    assertThat(runs.get()).isGreaterThan(1);
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void itIsMadeOnceOverTheLastWriteOfOthers(Layout layout) {
    Space there = create(layout);
    try (PostgresEngine engine = PostgresEngine.open(pool, options())) {
      Disturbance disturbance = writing(there);
      long result =
          open(engine)
              .transact(
                  ROW,
                  row -> {
                    long next = increment(row);
                    disturbance.run();
                    return next;
                  });
      assertThat(result).isEqualTo(disturbance.writes + 1);
      assertThat(there.<Long>transact(ROW, ContendedRowTest::number)).isEqualTo(result);
    }
  }

  /** The row is absent in the run that locks it. */
  @ParameterizedTest
  @EnumSource(Layout.class)
  void anAbsentRowIsLockedAndLeavesNothingIfItIsOnlyRead(Layout layout) {
    Space there = create(layout);
    try (PostgresEngine engine = PostgresEngine.open(pool, options())) {
      Space space = open(engine);
      for (boolean isChanged : new boolean[] {false, true}) {
        Disturbance disturbance = new Disturbance(there::clear);
        long result =
            space.transact(
                ROW,
                row -> {
                  long found = number(row);
                  disturbance.run();
                  if (isChanged || !disturbance.locked) {
                    increment(row);
                  }
                  return found;
                });
        assertThat(result).isZero();
        assertThat(disturbance.locked).isTrue();
        other.reclaim();
        String table = layout == Layout.ROWS ? ".heads" : ".entries";
        assertThat(server.number("SELECT count(*) FROM " + schema + table))
            .isEqualTo(isChanged ? 1 : 0);
        assertThat(space.<Long>transact(ROW, ContendedRowTest::number))
            .isEqualTo(isChanged ? 1 : 0);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void anExceptionOfTheFunctionUndoesIt(Layout layout) {
    Space there = create(layout);
    try (PostgresEngine engine = PostgresEngine.open(pool, options())) {
      Disturbance disturbance = writing(there);
      String message = "";
      try {
        long unused =
            open(engine)
                .<Long>transact(
                    ROW,
                    row -> {
                      long next = increment(row);
                      disturbance.run();
                      if (disturbance.locked) {
                        throw new IllegalArgumentException("of the function");
                      }
                      return next;
                    });
      } catch (IllegalArgumentException e) {
        message = e.getMessage();
      }
      assertThat(message).isEqualTo("of the function");
      assertThat(there.<Long>transact(ROW, ContendedRowTest::number)).isEqualTo(disturbance.writes);
    }
  }

  /** Its writes would otherwise be lost in the ended generation. */
  @Test
  void aClearWaitsForTheCommit() throws Exception {
    Space there = create(Layout.ROWS);
    try (PostgresEngine engine = PostgresEngine.open(pool, options())) {
      Space space = open(engine);
      Disturbance disturbance = writing(there);
      CountDownLatch locked = new CountDownLatch(1);
      AtomicBoolean cleared = new AtomicBoolean();
      Running<Boolean> clear =
          Threads.start(
              () -> {
                assertThat(locked.await(30, TimeUnit.SECONDS)).isTrue();
                there.clear();
                cleared.set(true);
                return true;
              });
      boolean isEarly =
          space.transact(
              ROW,
              row -> {
                long unused = increment(row);
                disturbance.run();
                if (disturbance.locked) {
                  locked.countDown();
                  sleep(300);
                }
                return cleared.get();
              });
      assertThat(isEarly).isFalse();
      assertThat(clear.result()).isTrue();
      assertThat(space.<Long>transact(ROW, ContendedRowTest::number)).isZero();
    }
  }

  /** Each thread that waits for the row has a connection of the pool. */
  @ParameterizedTest
  @EnumSource(Layout.class)
  void aPoolOfTwoIsEnoughForManyThreads(Layout layout) throws Exception {
    Space there = create(layout);
    int threads = 4;
    int each = 10;
    try (HikariDataSource two = server.pool()) {
      two.setMaximumPoolSize(2);
      two.setConnectionTimeout(10_000);
      try (PostgresEngine engine = PostgresEngine.open(two, options())) {
        Space space = open(engine);
        List<Running<Boolean>> running = new ArrayList<>();
        for (int i = 0; i < 2 * threads; i++) {
          Space own = i < threads ? space : there;
          running.add(
              Threads.start(
                  () -> {
                    for (int n = 0; n < each; n++) {
                      own.<Long>transact(
                          ROW,
                          row -> {
                            long next = increment(row);
                            sleep(2);
                            return next;
                          });
                    }
                    return true;
                  }));
        }
        for (Running<Boolean> one : running) {
          assertThat(one.result()).isTrue();
        }
        assertThat(space.<Long>transact(ROW, ContendedRowTest::number))
            .isEqualTo(2L * threads * each);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"40001", "40P01"})
  void aConflictAtEachStatementRunsItAgain(String state) {
    Space there = create(Layout.ROWS);
    ConflictingSource conflicting = new ConflictingSource(pool);
    try (PostgresEngine engine = PostgresEngine.open(conflicting.source(), options())) {
      Space space = open(engine);
      boolean more = true;
      int conflicts = 0;
      for (int place = 1; more; place++) {
        long before = there.<Long>transact(ROW, ContendedRowTest::number);
        conflicting.conflictAt(place, state);
        Disturbance disturbance = writing(there);
        long result =
            space.transact(
                ROW,
                row -> {
                  long next = increment(row);
                  disturbance.run();
                  return next;
                });
        more = conflicting.hasConflicted();
        conflicts += more ? 1 : 0;
        assertThat(result).as("place %d", place).isEqualTo(before + disturbance.writes + 1);
        assertThat(there.<Long>transact(ROW, ContendedRowTest::number)).isEqualTo(result);
      }
      assertThat(conflicts).isGreaterThan(12); // two of each run, and those of the locked one
    }
  }

  /** Its session would otherwise keep the lock, until the server finds out that it is gone. */
  @ParameterizedTest
  @CsvSource({"0, 30s", "2min, 30s", "7s, 7s"})
  void theServerEndsTheSessionOfAStoppedProcess(String ownLimit, String limit) {
    Space unused = create(Layout.ROWS);
    PostgresDatabase database = other.database();
    long id = server.number("SELECT id FROM " + schema + ".spaces");
    RecordStatements.Scope at = new RecordStatements.Scope(id, other.nowMillis(), 1);
    String setting = "idle_in_transaction_session_timeout";
    String found =
        database.transaction(
            "Locking",
            connection -> {
              Parameters.update(connection, "SET LOCAL " + setting + " = '" + ownLimit + "'");
              other.statements(Layout.ROWS).lock(connection, at, ROW);
              return Parameters.text(connection, "SHOW " + setting);
            });
    assertThat(found).isEqualTo(limit);
  }

  @Test
  void acrossLostConnectionsItIsMadeOnceOrNotAtAll() throws Exception {
    Random random = new Random(1);
    PGSimpleDataSource source = new PGSimpleDataSource();
    int made = 0;
    int failed = 0;
    try (CuttingProxy proxy = new CuttingProxy(server.port())) {
      source.setUrl(PostgresServer.url(proxy.port()));
      try (PostgresEngine cut = PostgresEngine.open(source, options())) {
        for (Layout layout : Layout.values()) {
          String name = "space" + layout;
          Space there = other.create(new SpaceSpec(name, layout, Map.of()));
          Space space = Objects.requireNonNull(cut.open(name));
          for (int round = 0; round < 12; round++) {
            long before = there.<Long>transact(ROW, ContendedRowTest::number);
            Disturbance disturbance = writing(there);
            boolean done = false;
            try {
              long unused =
                  space.<Long>transact(
                      ROW,
                      row -> {
                        long next = increment(row);
                        disturbance.run();
                        if (disturbance.locked) {
                          proxy.cutAfter(random.nextInt(400));
                        }
                        return next;
                      });
              done = true;
              made++;
            } catch (ServerUnavailableException e) {
              failed++; // nothing was changed
            }
            proxy.cutAfter(Long.MAX_VALUE);
            assertThat(there.<Long>transact(ROW, ContendedRowTest::number))
                .as("round %d, %s", round, layout)
                .isEqualTo(before + disturbance.writes + (done ? 1 : 0));
          }
        }
      }
    }
    assertThat(made).isPositive();
    assertThat(failed).isPositive();
  }
}
