package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.rockpool.engine.ChangeListener;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.store.Registration;
import io.rockpool.testing.Rounds;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A unit of work is recorded on a real server. Then it runs again, cut off at one of its bytes in
 * one direction: long runs have each byte, the gate has a sample. Its connections are opened inside
 * it. Another handle, which is not cut, sees whether it was made.
 */
@Slow
@Timeout(3_600)
@Needs(Tool.POSTGRESQL)
final class EveryByteTest {
  private static final int SAMPLE = 30;
  private static final byte[] KEY = {};
  private static final byte[] FROM = bytes("from");
  private static final byte[] TO = bytes("to");
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final PostgresServer server = PostgresServer.running();
  private final PostgresOptions options =
      PostgresOptions.defaults().schema(PostgresServer.newSchema());
  private final Thread thread = Thread.currentThread();
  private CuttingProxy proxy;
  private DataSource cutSource;
  private PostgresEngine cut;
  private PostgresEngine other;

  /** What the last run has sent and received. */
  private long sentBytes;

  private long receivedBytes;

  /** What runs again and again, and promises to be made once or not at all. */
  interface Unit {
    /** What the unit needs, with no cut. */
    default void prepare(String round) {}

    void run(String round);

    /**
     * Checks what became of a run, with no cut.
     *
     * @param outcome what the run has said
     */
    void check(String round, WriteOutcome outcome);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static PGSimpleDataSource source(int port) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(PostgresServer.url(port));
    return source;
  }

  @BeforeEach
  void open() throws Exception {
    proxy = new CuttingProxy(server.port());
    DataSource direct = source(server.port());
    DataSource throughProxy = source(proxy.port());
    cutSource =
        (DataSource)
            Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (self, method, arguments) -> {
                  try {
                    return method.invoke(isCut() ? throughProxy : direct, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    cut = PostgresEngine.open(cutSource, options);
    other = PostgresEngine.open(direct, options);
  }

  /** Upkeep and notifications are no part of a unit. */
  private boolean isCut() {
    return Thread.currentThread() == thread
        || Thread.currentThread().getName().startsWith("rockpool-postgresql-changes");
  }

  @AfterEach
  void close() throws Exception {
    cut.close();
    other.close();
    proxy.close();
    server.execute("DROP SCHEMA " + options.schema() + " CASCADE");
  }

  private void everyByte(int sample, Unit unit) {
    int number = 100_000; // each round has names and values of the same length
    round(Integer.toString(number), unit, () -> {});
    long sent = sentBytes;
    long received = receivedBytes;
    assertThat(proxy.cuts()).isZero();
    int places = 0;
    for (long place : places(sent, sample)) {
      round(Integer.toString(++number), unit, () -> proxy.cutAfterSent(place));
      places++;
    }
    for (long place : places(received, sample)) {
      round(Integer.toString(++number), unit, () -> proxy.cutAfter(place));
      places++;
    }
    assertThat(proxy.cuts()).isGreaterThan(places * 9L / 10).isLessThanOrEqualTo(places);
  }

  private static Set<Long> places(long bytes, int sample) {
    Set<Long> places = new TreeSet<>();
    long step = Rounds.areMany() ? 1 : Math.max(1, bytes / sample);
    for (long place = 0; place < bytes; place += step) {
      places.add(place);
    }
    places.add(bytes - 1);
    return places;
  }

  /** The cut comes while the unit runs; what comes before and after uses other connections. */
  private void round(String round, Unit unit, Runnable arm) {
    unit.prepare(round);
    long sent = proxy.sentBytes();
    long received = proxy.receivedBytes();
    arm.run();
    WriteOutcome outcome;
    try {
      unit.run(round);
      outcome = WriteOutcome.APPLIED;
    } catch (ServerUnavailableException e) {
      outcome = WriteOutcome.NOT_APPLIED;
    } catch (OutcomeUnknownException e) {
      outcome = WriteOutcome.UNKNOWN;
    }
    sentBytes = proxy.sentBytes() - sent;
    receivedBytes = proxy.receivedBytes() - received;
    proxy.cutAfter(Long.MAX_VALUE);
    proxy.cutAfterSent(Long.MAX_VALUE);
    unit.check(round, outcome);
  }

  private static Space opened(PostgresEngine engine) {
    return Objects.requireNonNull(engine.open("space"));
  }

  private static String text(RowRecord record) {
    return record == null ? "none" : new String(record.value(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @EnumSource
  void aPutWasMadeIfItSaysSoAndWasNotIfItSaysThat(Layout layout) {
    Space space = cut.create(new SpaceSpec("space", layout, Map.of()));
    Space seen = opened(other);
    everyByte(
        SAMPLE,
        new Unit() {
          private String last = "none";

          @Override
          public void run(String round) {
            space.put(FROM, KEY, bytes(round), Expiry.NEVER);
          }

          @Override
          public void check(String round, WriteOutcome outcome) {
            String found = text(seen.get(FROM, KEY));
            switch (outcome) {
              case APPLIED -> assertThat(found).isEqualTo(round);
              case NOT_APPLIED -> assertThat(found).as(round).isEqualTo(last);
              default -> assertThat(found).as(round).isIn(round, last);
            }
            last = found;
          }
        });
  }

  private static long number(Row row) {
    RowRecord record = row.get(KEY);
    return record == null ? 0 : Long.parseLong(text(record));
  }

  private static void add(Space space, byte[] row, long amount) {
    Long unused =
        space.transact(
            row,
            r -> {
              long next = number(r) + amount;
              r.put(KEY, bytes(Long.toString(next)), Expiry.NEVER);
              return next;
            });
  }

  private static long sum(Space space, byte[] row) {
    return space.<Long>transact(row, EveryByteTest::number);
  }

  @ParameterizedTest
  @EnumSource
  void aRowTransactionIsMadeOnceOrNotAtAll(Layout layout) {
    Space space = cut.create(new SpaceSpec("space", layout, Map.of()));
    Space seen = opened(other);
    everyByte(
        SAMPLE,
        new Counted() {
          @Override
          public void run(String round) {
            add(space, FROM, 1);
          }

          @Override
          void check(String round, long made) {
            assertThat(sum(seen, FROM)).as(round).isEqualTo(made);
          }
        });
  }

  /** A unit that is never of an unknown outcome, because no other handle writes. */
  private abstract static class Counted implements Unit {
    private long made;

    abstract void check(String round, long made);

    @Override
    public final void check(String round, WriteOutcome outcome) {
      assertThat(outcome).isNotEqualTo(WriteOutcome.UNKNOWN);
      made += outcome == WriteOutcome.APPLIED ? 1 : 0;
      check(round, made);
    }
  }

  @Test
  void aTransactionOverSeveralRowsIsMadeOnceOrNotAtAll() {
    Space space = cut.create(new SpaceSpec("space", Layout.ROWS, Map.of()));
    Space seen = opened(other);
    everyByte(
        2 * SAMPLE,
        new Counted() {
          @Override
          public void run(String round) {
            cut.<Boolean>atomically(
                () -> {
                  add(space, FROM, -1);
                  add(space, TO, 1);
                  return true;
                });
          }

          @Override
          void check(String round, long made) {
            assertThat(sum(seen, TO)).as(round).isEqualTo(made);
            assertThat(sum(seen, FROM)).as(round).isEqualTo(-made);
          }
        });
  }

  @Test
  void aNameIsCreatedOnceOrNotAtAll() {
    everyByte(
        SAMPLE,
        new Unit() {
          @Override
          public void run(String round) {
            Space unused = cut.create(new SpaceSpec(round, Layout.ROWS, Map.of("a", "b")));
          }

          @Override
          public void check(String round, WriteOutcome outcome) {
            checkMade(other.describe(round) != null, round, outcome);
          }
        });
  }

  private static void checkMade(boolean made, String round, WriteOutcome outcome) {
    assertThat(made ? WriteOutcome.APPLIED : WriteOutcome.NOT_APPLIED).as(round).isEqualTo(outcome);
  }

  @Test
  void aNameIsResetOnceOrNotAtAll() {
    Space created = cut.create(new SpaceSpec("name", Layout.ROWS, Map.of()));
    created.put(FROM, KEY, KEY, Expiry.NEVER);
    everyByte(
        SAMPLE,
        new Unit() {
          private long resets;

          @Override
          public void run(String round) {
            Space unused = cut.reset(new SpaceSpec("name", Layout.ROWS, Map.of("round", round)));
          }

          @Override
          public void check(String round, WriteOutcome outcome) {
            SpaceInfo info = Objects.requireNonNull(other.describe("name"));
            boolean made = round.equals(info.attributes().get("round"));
            resets += made ? 1 : 0;
            assertThat(info.resets()).as(round).isEqualTo(resets);
            checkMade(made, round, outcome);
          }
        });
  }

  @Test
  void aNameIsDroppedOnceOrNotAtAll() {
    everyByte(
        SAMPLE,
        new Unit() {
          @Override
          public void prepare(String round) {
            Space unused = other.create(new SpaceSpec(round, Layout.ROWS, Map.of()));
          }

          @Override
          public void run(String round) {
            assertThat(cut.drop(round)).isTrue();
          }

          @Override
          public void check(String round, WriteOutcome outcome) {
            checkMade(other.describe(round) == null, round, outcome);
          }
        });
  }

  /** Which rows were reported to a listener, and whether its feed was lost. */
  private static final class Heard implements ChangeListener {
    private final Set<String> rows = new HashSet<>();
    private boolean lost;
    private int losses;

    @Override
    public synchronized void rowChanged(String space, byte[] hashKey) {
      rows.add(new String(hashKey, StandardCharsets.UTF_8));
    }

    @Override
    public void spaceChanged(String space) {}

    @Override
    public void spaceEnded(String space) {}

    @Override
    public synchronized void feedLost() {
      lost = true;
      losses++;
    }

    @Override
    public synchronized void feedRegained() {
      lost = false;
    }

    synchronized boolean knows(String row, int lossesBefore) {
      return losses > lossesBefore || rows.contains(row);
    }

    synchronized int losses() {
      return losses;
    }

    synchronized boolean isLost() {
      return lost;
    }
  }

  private static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        fail(what);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** A listener hears of each change behind its registration, or that the feed was lost. */
  @Test
  void aFeedThatStartsMissesNothing() {
    Space written = other.create(new SpaceSpec("space", Layout.ENTRIES, Map.of()));
    everyByte(
        SAMPLE / 2,
        new Unit() {
          private PostgresEngine listening;
          private Heard heard;

          @Override
          public void prepare(String round) {
            listening = PostgresEngine.open(cutSource, options);
            heard = new Heard();
          }

          @Override
          public void run(String round) {
            Registration unused = listening.onChange(heard);
            written.put(bytes(round), KEY, KEY, Expiry.NEVER);
            await("Neither a change nor a loss of " + round, () -> heard.knows(round, 0));
          }

          @Override
          public void check(String round, WriteOutcome outcome) {
            assertThat(outcome).isEqualTo(WriteOutcome.APPLIED);
            try {
              await("The feed stays lost: " + round, () -> !heard.isLost());
              // It may learn only now that a connection was cut.
              int losses = heard.losses();
              String later = "later " + round;
              written.put(bytes(later), KEY, KEY, Expiry.NEVER);
              await("Missed: " + later, () -> heard.knows(later, losses));
            } finally {
              listening.close();
            }
          }
        });
  }
}
