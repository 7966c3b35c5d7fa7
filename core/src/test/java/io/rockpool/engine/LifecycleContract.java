package io.rockpool.engine;

import static io.rockpool.engine.EngineUnderTest.bytes;
import static io.rockpool.engine.EngineUnderTest.key;
import static io.rockpool.engine.EngineUnderTest.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.store.Durability;
import io.rockpool.testing.Threads;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Closing an engine, and opening it again. */
interface LifecycleContract extends EngineUnderTest {
  @Test
  default void anEngineDescribesItself() {
    assertThat(engine().description()).isNotBlank();
    assertThat(engine().clock()).isSameAs(clock());
    assertThat(engine().diskBytes()).isNotNegative();
  }

  @Test
  default void flushChangesNothing() {
    rowOf("a");
    engine().flush();
    engine().flush();
    assertThat(scanAll(rows())).containsExactly("row/a=v");
  }

  @Test
  default void afterCloseEverythingIsRefused() {
    Space space = rowOf("a");
    Space durable = space.withDurability(Durability.SYNC);
    Engine engine = engine();
    engine.close();
    byte[] row = bytes(ROW);
    byte[] sortKey = bytes("a");
    List<Runnable> operations =
        List.of(
            () -> engine.create(spec("new", Layout.ROWS)),
            () -> engine.open("rows"),
            () -> engine.reset(spec("rows", Layout.ROWS)),
            () -> engine.describe("rows"),
            () -> engine.list(""),
            () -> engine.setAttributes("rows", Map.of()),
            () -> engine.drop("rows"),
            () -> engine.dropAll(""),
            engine::flush,
            () -> engine.withDurability(Durability.SYNC, () -> Assertions.fail("It ran.")),
            engine::diskBytes,
            space::info,
            () -> space.get(row, sortKey),
            () -> space.get(row, sortKey, (bytes, offset, length, expiry) -> "read"),
            () -> space.getAll(List.of(key(ROW, "a"))),
            () -> space.put(row, sortKey, bytes("late"), Expiry.NEVER),
            () -> space.delete(row, sortKey),
            () -> space.putAll(List.of(EngineUnderTest.record(ROW, "a", "late"))),
            () -> space.deleteAll(List.of(key(ROW, "a"))),
            () -> space.transact(row, r -> "ran"),
            () -> space.count(row),
            () -> scan(space, ROW),
            () -> scanAll(space),
            space::clear,
            () -> durable.put(row, sortKey, bytes("late"), Expiry.NEVER));
    for (Runnable operation : operations) {
      assertThatThrownBy(operation::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
    }
  }

  @Test
  default void closingTwiceIsFine() {
    rowOf("a");
    engine().close();
    engine().close();
  }

  @Test
  default void closeWaitsForARunningTransaction() throws Exception {
    Space space = rowOf("a");
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    Threads.run(
        2,
        thread -> {
          if (thread == 0) {
            String result =
                space.transact(
                    bytes(ROW),
                    row -> {
                      row.put(bytes("b"), bytes("1"), Expiry.NEVER);
                      running.countDown();
                      awaitOrFail(release);
                      return "done";
                    });
            assertThat(result).isEqualTo("done");
          } else {
            awaitOrFail(running);
            Thread closer =
                new Thread(
                    () -> {
                      engine().close();
                      closed.countDown();
                    });
            closer.start();
            assertThat(closed.await(50, TimeUnit.MILLISECONDS)).isFalse();
            release.countDown();
            awaitOrFail(closed);
          }
        });
  }

  private static void awaitOrFail(CountDownLatch latch) {
    try {
      if (!latch.await(60, TimeUnit.SECONDS)) {
        throw new AssertionError("What the test waited for did not happen within a minute.");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  default void closingFromInsideATransactionIsRefused() {
    Space space = rowOf("a");
    assertThatThrownBy(() -> change(space, ROW, row -> engine().close()))
        .isInstanceOf(IllegalStateException.class);
    assertThat(scanAll(space)).containsExactly("row/a=v");
  }

  @Test
  default void closingABusyEngineRefusesWhatComesLater() throws Exception {
    Space space = rows();
    Space entries = entries();
    AtomicInteger refused = new AtomicInteger();
    CountDownLatch busy = new CountDownLatch(200);
    Threads.run(
        Threads.CONTENDERS + 1,
        thread -> {
          if (thread == Threads.CONTENDERS) {
            awaitOrFail(busy);
            engine().close();
            return;
          }
          try {
            for (int i = 0; ; i++) {
              work(thread, i, space, entries);
              busy.countDown();
            }
          } catch (IllegalStateException closed) {
            assertThat(closed).hasMessageContaining("closed");
            refused.incrementAndGet();
          }
        });
    assertThat(refused).hasValue(Threads.CONTENDERS);
  }

  private void work(int thread, int i, Space space, Space entries) {
    String sortKey = "k" + i % 50;
    switch ((thread + i) % 6) {
      case 0 -> put(space, ROW, sortKey, "v");
      case 1 -> get(space, ROW, sortKey);
      case 2 -> putCounted(space, "counted", sortKey, "v");
      case 3 -> scanAll(space);
      case 4 -> put(entries, sortKey, "", "v");
      default -> scan(space, ROW);
    }
  }

  @Test
  default void recordsAndDescriptionsAreThereAfterReopening() {
    assume(Capability.COLLECTIONS);
    engine().create(new SpaceSpec("shop/map", Layout.ROWS, Map.of("type", "map")));
    engine().create(new SpaceSpec("shop/cache", Layout.ENTRIES, Map.of("type", "cache")));
    clock().advanceMillis(5);
    engine().reset(new SpaceSpec("shop/cache", Layout.ENTRIES, Map.of("type", "cache 2")));
    engine().setAttributes("shop/map", Map.of("type", "map 2"));
    Space map = Objects.requireNonNull(engine().open("shop/map"));
    Space cache = Objects.requireNonNull(engine().open("shop/cache"));
    long expiryMillis = clock().millis() + 100;
    put(map, "", "", "empty");
    put(map, ROW, "a", "1", expiryMillis);
    putCounted(map, ROW, "b", "2");
    put(cache, "k", "", "3", expiryMillis);
    put(cache, "l", "", "4");
    List<SpaceInfo> before = engine().list("");
    clock().advanceMillis(7);

    reopen();
    assertThat(engine().list("")).isEqualTo(before);
    map = Objects.requireNonNull(engine().open("shop/map"));
    cache = Objects.requireNonNull(engine().open("shop/cache"));
    assertThat(map.info().attributes()).isEqualTo(Map.of("type", "map 2"));
    assertThat(map.info().openedMillis()).isEqualTo(clock().millis());
    assertThat(cache.info().resets()).isEqualTo(1);
    assertThat(scanAll(map)).containsExactlyInAnyOrder("/=empty", "row/a=1", "row/b=2");
    assertThat(scanAll(cache)).containsExactlyInAnyOrder("k/=3", "l/=4");
    clock().setMillis(expiryMillis);
    assertThat(scanAll(map)).containsExactlyInAnyOrder("/=empty", "row/b=2");
    assertThat(scanAll(cache)).containsExactly("l/=4");

    put(map, ROW, "c", "5");
    reopen();
    map = Objects.requireNonNull(engine().open("shop/map"));
    assertThat(scan(map, ROW)).containsExactly("b", "c");
  }

  @Test
  default void everyDurabilitySurvivesReopening() {
    for (Durability durability : Durability.values()) {
      put(rows().withDurability(durability), ROW, durability.name(), "v");
      putCounted(rows().withDurability(durability), "counted", durability.name(), "v");
    }
    reopen();
    assertThat(scan(rows(), ROW)).hasSize(Durability.values().length);
    assertThat(rows().count(bytes("counted"))).isEqualTo(Durability.values().length);
  }

  @Test
  default void whatIsWrittenWithADurabilityOfItsOwnSurvivesReopening() {
    Space space = rows();
    for (Durability durability : Durability.values()) {
      String level = durability.name();
      assertThat(
              engine()
                  .<@Nullable String>withDurability(
                      durability,
                      () -> {
                        put(space, ROW, level, "v");
                        return get(space, ROW, level);
                      }))
          .isEqualTo("v");
      engine().runWithDurability(durability, () -> putCounted(space, "counted", level, "v"));
      assertThat(engine().<@Nullable String>withDurability(durability, () -> null)).isNull();
    }
    reopen();
    assertThat(scan(rows(), ROW)).hasSize(Durability.values().length);
    assertThat(rows().count(bytes("counted"))).isEqualTo(Durability.values().length);
  }

  @Test
  default void aDurabilityOfItsOwnMakesNoTransaction() {
    Space space = rows();
    assertThatThrownBy(
            () ->
                engine()
                    .withDurability(
                        Durability.SYNC,
                        () -> {
                          put(space, ROW, "a", "v");
                          throw new IllegalArgumentException("This is thrown by a test.");
                        }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(get(space, ROW, "a")).isEqualTo("v");
  }

  @Test
  default void closingWithAnOpenCursorLosesNothing() {
    Space space = rowOf("a", "b");
    try (Cursor cursor = space.scanAll(null)) {
      assertThat(cursor.next()).isTrue();
      reopen();
    }
    assertThat(scan(rows(), ROW)).containsExactly("a", "b");
  }

  @Test
  default void handlesOfAClosedEngineStayRefusedAfterReopening() {
    Space old = rowOf("a");
    reopen();
    assertThatThrownBy(() -> get(old, ROW, "a")).isInstanceOf(IllegalStateException.class);
    assertThat(get(rows(), ROW, "a")).isEqualTo("v");
  }
}
