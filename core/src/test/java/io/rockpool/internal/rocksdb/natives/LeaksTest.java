package io.rockpool.internal.rocksdb.natives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSnapshot;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.engine.rocksdb.EngineInternals;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.store.LeakDetection;
import io.rockpool.testing.Slow;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What nobody closes is closed, counted and named. */
@Slow
@Timeout(60)
final class LeaksTest {
  private static final byte[] KEY = {1};

  @TempDir Path directory;
  private RocksDbEngine engine;
  private Space space;

  @BeforeEach
  void open() {
    open(LeakDetection.ALL);
  }

  private void open(LeakDetection detection) {
    engine =
        RocksDbEngine.open(directory, RocksDbOptions.builder().leakDetection(detection).build());
    Space there = engine.open("rows");
    space = there == null ? engine.create(new SpaceSpec("rows", Layout.ROWS, Map.of())) : there;
    for (byte i = 0; i < 10; i++) {
      space.put(KEY, new byte[] {i}, KEY, Expiry.NEVER);
    }
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private static void collectUntil(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited in vain until " + what).isLessThan(end);
      System.gc();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  /** What is logged while {@code work} runs. */
  private static String logged(Runnable work) {
    PrintStream before = System.err;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      work.run();
    } finally {
      System.setErr(before);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private void forgetACursor() {
    assertThat(space.scanAll().next()).isTrue();
  }

  private void forgetASnapshot() {
    assertThat(space.snapshot().takenMillis()).isPositive();
  }

  private int openScans() {
    return EngineInternals.of(engine).handles().scans().count();
  }

  @Test
  void aForgottenCursorIsClosedAndNamedOnce() {
    String log =
        logged(
            () -> {
              for (int i = 0; i < 5; i++) {
                forgetACursor();
              }
              collectUntil("all are closed", () -> engine.leaks() == 5);
            });
    assertThat(openScans()).isZero();
    assertThat(log)
        .contains("A cursor of \"rows\" was never closed.")
        .contains("LeaksTest.forgetACursor")
        .containsOnlyOnce("was never closed");
  }

  @Test
  void aForgottenSnapshotIsClosedAndNamed() {
    String log =
        logged(
            () -> {
              forgetASnapshot();
              collectUntil("it is closed", () -> engine.leaks() == 1);
            });
    assertThat(EngineInternals.of(engine).handles().snapshots().count()).isZero();
    assertThat(log)
        .contains("A snapshot of \"rows\" was never closed.")
        .contains("LeaksTest.forgetASnapshot");
  }

  @Test
  void whatIsClosedOrReadToItsEndIsNoLeak() {
    try (SpaceSnapshot snapshot = space.snapshot();
        Cursor cursor = snapshot.scanAll()) {
      assertThat(cursor.next()).isTrue();
    }
    Cursor ended = space.scan(KEY, SortRange.all(), Direction.FORWARD, 2);
    while (ended.next()) {
      assertThat(ended.value()).isEqualTo(KEY);
    }
    assertThat(openScans()).isZero();
    forgetACursor();
    collectUntil("the one that was forgotten is closed", () -> engine.leaks() > 0);
    assertThat(engine.leaks()).isEqualTo(1);
  }

  @Test
  void aCursorThatIsInUseIsNotTakenForForgotten() {
    Cursor cursor = space.scanAll();
    for (int i = 0; i < 10; i++) {
      System.gc();
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.sortKey()).containsExactly(i);
    }
    assertThat(engine.leaks()).isZero();
    cursor.close();
  }

  /** What is native was freed with the store: to free it again would end the process. */
  @Test
  void afterTheStoreIsClosedNothingIsReleased() {
    for (int i = 0; i < 100; i++) {
      forgetACursor();
      forgetASnapshot();
    }
    engine.close();
    long atClose = engine.leaks();
    Object[] marker = {new Object()};
    java.lang.ref.WeakReference<Object> collected = new java.lang.ref.WeakReference<>(marker[0]);
    marker[0] = null;
    collectUntil("garbage was collected", () -> collected.get() == null);
    for (int i = 0; i < 5; i++) {
      System.gc();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
    assertThat(engine.leaks()).isEqualTo(atClose);
    open();
    forgetACursor();
    collectUntil("leaks are closed in the store that is open", () -> engine.leaks() == 1);
  }

  @Test
  void withoutPlacesTheFirstIsLoggedAndAllAreCounted() {
    engine.close();
    open(LeakDetection.COUNTED);
    String log =
        logged(
            () -> {
              forgetACursor();
              forgetASnapshot();
              collectUntil("both are closed", () -> engine.leaks() == 2);
            });
    assertThat(log).containsOnlyOnce("was never closed").contains("-Drockpool.leakDetection=all");
  }

  @Test
  void thePropertySaysWhich() {
    assertThat(LeakDetection.ofSystemProperty()).isEqualTo(LeakDetection.SAMPLED);
    System.setProperty(LeakDetection.PROPERTY, "All");
    try {
      assertThat(LeakDetection.ofSystemProperty()).isEqualTo(LeakDetection.ALL);
      System.setProperty(LeakDetection.PROPERTY, "some");
      assertThatThrownBy(LeakDetection::ofSystemProperty)
          .hasMessageContaining("\"some\"")
          .hasMessageContaining("[counted, sampled, all]");
    } finally {
      System.clearProperty(LeakDetection.PROPERTY);
    }
  }
}
