package io.rockpool.engine;

import static io.rockpool.engine.EngineUnderTest.bytes;
import static io.rockpool.engine.EngineUnderTest.key;
import static io.rockpool.engine.EngineUnderTest.record;
import static io.rockpool.engine.EngineUnderTest.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.store.Registration;
import io.rockpool.testing.MaySkip;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Handles of the same data see each other's changes at once, and are notified of them. */
interface ChangeContract extends EngineUnderTest {
  /** Why a test may be skipped. */
  String ONE_HANDLE = "an engine may have one handle only";

  /** What takes longer is missing. */
  long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** Remembers what was reported, and what a read in the report found. */
  final class Reports implements ChangeListener {
    private final Set<String> all = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Runnable whenReported;

    /** What was reported so far. */
    Set<String> all() {
      return Set.copyOf(all);
    }

    private void add(String report) {
      Runnable action = whenReported;
      if (action != null) {
        action.run();
      }
      all.add(report);
    }

    @Override
    public void rowChanged(String space, byte[] hashKey) {
      add(space + "/" + EngineUnderTest.text(hashKey));
    }

    @Override
    public void spaceChanged(String space) {
      add("all of " + space);
    }

    @Override
    public void spaceEnded(String space) {
      add("end of " + space);
    }

    @Override
    public void feedLost() {
      add("lost");
    }

    @Override
    public void feedRegained() {
      add("regained");
    }

    void await(String... reports) {
      long end = System.nanoTime() + PATIENCE_NANOS;
      while (!all.containsAll(List.of(reports)) && System.nanoTime() < end) {
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(50));
      }
      assertThat(all).contains(reports);
    }
  }

  /** Runs a test with a second handle, and what it is notified of. */
  private void withAnother(Consumer<Engine> test) {
    assume(Capability.SHARED);
    try (Engine other = openAnother()) {
      test.accept(other);
    }
  }

  private static Space open(Engine engine, String name) {
    return Objects.requireNonNull(engine.open(name));
  }

  @Test
  @MaySkip(ONE_HANDLE)
  default void anotherHandleSeesChangesAtOnce() {
    Space mine = rowOf("a");
    withAnother(
        other -> {
          Space theirs = open(other, "rows");
          assertThat(scanAll(theirs)).containsExactly("row/a=v");
          put(theirs, ROW, "b", "2");
          assertThat(scanAll(mine)).containsExactly("row/a=v", "row/b=2");
          mine.clear();
          assertThat(scanAll(theirs)).isEmpty();
          assertThat(other.drop("rows")).isTrue();
          assertThatThrownBy(mine::info).isInstanceOf(IllegalStateException.class);
        });
    assertThat(engine().describe("rows")).isNull();
  }

  @Test
  @MaySkip(ONE_HANDLE)
  default void everyChangeOfAnotherHandleIsReported() {
    Space mine = rowOf("a");
    withAnother(
        other -> {
          Space theirs = open(other, "rows");
          Reports reports = new Reports();
          try (Registration registration = engine().onChange(reports)) {
            put(theirs, "put", "a", "1");
            theirs.delete(bytes("delete"), bytes("a"));
            theirs.putAll(List.of(record("p1", "a", "1"), record("p2", "a", "1")));
            theirs.deleteAll(List.of(key("p3", "a")));
            change(theirs, "transact", row -> row.putCounted(bytes("a"), bytes("1"), Expiry.NEVER));
            reports.await(
                "rows/put", "rows/delete", "rows/p1", "rows/p2", "rows/p3", "rows/transact");
            theirs.clear();
            reports.await("all of rows");
            reports.all.clear();
            theirs.expireAt(clock().millis() + 1_000);
            reports.await("all of rows");
            Space fresh = other.reset(new SpaceSpec("rows", Layout.ROWS, Map.of("a", "b")));
            reports.await("end of rows");
            reports.all.clear();
            put(fresh, ROW, "a", "1");
            reports.await("rows/" + ROW);
            other.create(spec("level/x", Layout.ROWS));
            other.create(spec("level/y", Layout.ROWS));
            other.dropAll("level");
            other.drop("rows");
            reports.await("end of level/x", "end of level/y", "end of rows");
          }
        });
    assertThatThrownBy(mine::info).isInstanceOf(IllegalStateException.class);
  }

  @Test
  @MaySkip(ONE_HANDLE)
  default void everyRowOfATransactionIsReported() {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    rows();
    entries();
    withAnother(
        other -> {
          Space rows = open(other, "rows");
          Space entries = open(other, "entries");
          put(entries, "untouched", "", "1");
          Reports reports = new Reports();
          try (Registration registration = engine().onChange(reports)) {
            other.<@Nullable Void>atomically(
                () -> {
                  put(rows, "x", "a", "1");
                  put(rows, "y", "a", "1");
                  put(entries, "z", "", "1");
                  assertThat(get(entries, "untouched", "")).isEqualTo("1");
                  return null;
                });
            reports.await("rows/x", "rows/y", "entries/z");
            assertThat(reports.all).doesNotContain("entries/untouched");
          }
        });
  }

  @Test
  @MaySkip(ONE_HANDLE)
  default void aReportedChangeIsVisible() {
    Space mine = rows();
    withAnother(
        other -> {
          Space theirs = open(other, "rows");
          Reports reports = new Reports();
          Set<String> seen = ConcurrentHashMap.newKeySet();
          reports.whenReported = () -> seen.addAll(scanAll(mine));
          try (Registration registration = engine().onChange(reports)) {
            put(theirs, ROW, "a", "1");
            reports.await("rows/" + ROW);
            assertThat(seen).containsExactly("row/a=1");
          }
        });
  }

  @Test
  @MaySkip(ONE_HANDLE)
  default void ownChangesAreNotReported() {
    Space mine = rows();
    withAnother(
        other -> {
          Reports reports = new Reports();
          try (Registration registration = engine().onChange(reports)) {
            put(mine, "mine", "a", "1");
            change(mine, "mine2", row -> row.put(bytes("a"), bytes("1"), Expiry.NEVER));
            mine.clear();
            put(open(other, "rows"), "theirs", "a", "1");
            reports.await("rows/theirs");
            assertThat(reports.all).containsExactly("rows/theirs");
          }
        });
  }

  @Test
  @MaySkip(ONE_HANDLE)
  default void aClosedRegistrationReportsNothing() {
    rows();
    withAnother(
        other -> {
          Reports closed = new Reports();
          Reports open = new Reports();
          Registration first = engine().onChange(closed);
          try (Registration registration = engine().onChange(open)) {
            first.close();
            first.close();
            put(open(other, "rows"), ROW, "a", "1");
            open.await("rows/" + ROW);
            assertThat(closed.all).isEmpty();
          }
        });
  }

  @Test
  @MaySkip(ONE_HANDLE)
  default void aListenerThatThrowsMissesNothingAndHindersNoOther() {
    rows();
    withAnother(
        other -> {
          Reports throwing = new Reports();
          throwing.whenReported =
              () -> {
                throw new IllegalStateException("The test's listener throws.");
              };
          Reports reports = new Reports();
          try (Registration first = engine().onChange(throwing);
              Registration second = engine().onChange(reports)) {
            put(open(other, "rows"), "x", "a", "1");
            reports.await("rows/x");
            throwing.whenReported = null;
            put(open(other, "rows"), "y", "a", "1");
            throwing.await("rows/y");
          }
        });
  }

  @Test
  @MaySkip(ONE_HANDLE)
  default void anEngineWithoutOtherHandlesReportsNothing() {
    Reports reports = new Reports();
    try (Registration registration = engine().onChange(reports)) {
      rowOf("a");
      rows().clear();
      engine().drop("rows");
    }
    assertThat(reports.all).isEmpty();
  }
}
