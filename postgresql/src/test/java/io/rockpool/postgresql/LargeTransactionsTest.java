package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.Rockpool;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Row;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.LimitExceededException;
import io.rockpool.testing.Slow;
import io.rockpool.testing.Threads;
import io.rockpool.testing.Threads.Running;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Transactions whose changes are too large for one message to the server. */
@Slow
@Needs(Tool.POSTGRESQL)
final class LargeTransactionsTest {
  private static final byte[] ROW = {1};
  private static final byte[] VALUE = new byte[PostgresLimits.MAX_VALUE_BYTES];
  private static final int MOST = PostgresLimits.MAX_COMMIT_BYTES / VALUE.length;

  private final PostgresServer server = PostgresServer.running();
  private final String schema = PostgresServer.newSchema();
  private HikariDataSource source;
  private CountingSource counting;
  private PostgresEngine engine;
  private Space rows;
  private Space entries;

  @BeforeEach
  void open() {
    source = server.pool();
    counting = new CountingSource(source);
    engine = PostgresEngine.open(counting.source(), PostgresOptions.defaults().schema(schema));
    rows = engine.create(new SpaceSpec("rows", Layout.ROWS, Map.of()));
    entries = engine.create(new SpaceSpec("entries", Layout.ENTRIES, Map.of()));
  }

  @AfterEach
  void close() throws SQLException {
    engine.close();
    source.close();
    server.execute("DROP SCHEMA " + schema + " CASCADE");
  }

  private static byte[] key(int number) {
    return new byte[] {(byte) number};
  }

  private static boolean putMany(Row row) {
    for (int i = 0; i < MOST; i++) {
      row.put(key(i), VALUE, Expiry.NEVER);
    }
    return true;
  }

  private boolean putMany() {
    for (int i = 0; i < MOST; i++) {
      entries.put(key(i), Space.NO_SORT_KEY, VALUE, Expiry.NEVER);
    }
    return true;
  }

  private static void assertIsRefused(ThrowingCallable transaction) {
    assertThatThrownBy(transaction)
        .isInstanceOf(LimitExceededException.class)
        .hasMessageContaining("Divide it into several transactions.");
  }

  /** Each key counts, too, so as many values as fit without keys are too many. */
  @Test
  void changesThatAreTooLargeAreRefusedBeforeTheyAreSent() throws SQLException {
    long before = counting.roundTrips();
    assertIsRefused(() -> rows.transact(ROW, LargeTransactionsTest::putMany));
    assertThat(counting.roundTrips() - before).as("the read of the row").isLessThanOrEqualTo(1);
    long next = counting.roundTrips();
    assertIsRefused(() -> engine.atomically(this::putMany));
    assertThat(counting.roundTrips() - next).isZero();
    try (Rockpool pool = Rockpool.at(o -> engine).open();
        Connection connection = source.getConnection()) {
      assertIsRefused(() -> JoinedTransactions.run(pool, connection, this::putMany));
      assertThat(connection.getAutoCommit()).isTrue();
      assertThat(rows.get(ROW, key(0))).isNull();
      assertThat(entries.get(key(0), Space.NO_SORT_KEY)).isNull();
    }
  }

  /** Those that met a conflict are run together, and are too large for that. */
  @Test
  void operationsOnOneRowAreNotRefusedBecauseOfOthers() throws Exception {
    int threads = MOST / 2 + 2;
    CountDownLatch begun = new CountDownLatch(threads);
    List<Running<Boolean>> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      byte[] first = key(2 * i);
      byte[] second = key(2 * i + 1);
      running.add(
          Threads.start(
              () ->
                  rows.transact(
                      ROW,
                      row -> {
                        row.put(first, VALUE, Expiry.NEVER);
                        row.put(second, VALUE, Expiry.NEVER);
                        begun.countDown();
                        awaitAll(begun);
                        return true;
                      })));
    }
    for (Running<Boolean> each : running) {
      assertThat(each.result()).isTrue();
    }
    assertThat(
            server.number(
                "SELECT count(*) FROM "
                    + schema
                    + ".records WHERE length(value) = "
                    + VALUE.length))
        .isEqualTo(2L * threads);
  }

  private static void awaitAll(CountDownLatch begun) {
    try {
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** As single polls of a deque do. A part that fails brings the records back. */
  @Test
  void recordsThatWereReadAndDeletedLeaveTheHeap() {
    int many = 6;
    for (int i = 0; i < many; i++) {
      rows.put(ROW, key(i), VALUE, Expiry.NEVER);
    }
    boolean isDone =
        engine.atomically(
            () -> {
              long before = usedBytes();
              assertThatThrownBy(
                      () ->
                          rows.transact(
                              ROW,
                              row -> {
                                for (int i = 0; i < many; i++) {
                                  assertThat(row.get(key(i)).value()).hasSameSizeAs(VALUE);
                                  row.delete(key(i));
                                }
                                assertThat(usedBytes() - before).isLessThan(2L * VALUE.length);
                                throw new IllegalStateException("of the test");
                              }))
                  .hasMessage("of the test");
              assertThat(rows.get(ROW, key(0)).value()).hasSameSizeAs(VALUE);
              rows.delete(ROW, key(0));
              return rows.get(ROW, key(0)) == null;
            });
    assertThat(isDone).isTrue();
    assertThat(rows.get(ROW, key(0))).isNull();
    assertThat(rows.get(ROW, key(1)).value()).hasSameSizeAs(VALUE);
  }

  private static long usedBytes() {
    Runtime runtime = Runtime.getRuntime();
    runtime.gc();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  @Test
  void theLimitItselfIsAllowed() {
    PostgresLimits.checkCommit(PostgresLimits.MAX_COMMIT_BYTES);
    assertIsRefused(() -> PostgresLimits.checkCommit(PostgresLimits.MAX_COMMIT_BYTES + 1L));
  }
}
