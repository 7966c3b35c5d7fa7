package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.structure.StoreUnderTest.Kind;
import io.rockpool.testing.Threads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PersistentCounterTest {
  @TempDir Path directory;
  private StoreUnderTest store;

  private PersistentCounter open(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    return store.pool().counter("visits");
  }

  @AfterEach
  void close() {
    store.close();
  }

  @ParameterizedTest
  @EnumSource
  void counts(Kind kind) {
    PersistentCounter counter = open(kind);
    assertThat(counter.get()).isZero();
    assertThat(counter.incrementAndGet()).isEqualTo(1);
    assertThat(counter.getAndIncrement()).isEqualTo(1);
    assertThat(counter.getAndAdd(10)).isEqualTo(2);
    assertThat(counter.decrementAndGet()).isEqualTo(11);
    assertThat(counter.getAndDecrement()).isEqualTo(11);
    assertThat(counter.updateAndGet(old -> old * 2)).isEqualTo(20);
    assertThat(store.reopen().counter("visits").get()).isEqualTo(20);
  }

  @ParameterizedTest
  @EnumSource
  @SuppressWarnings("UnnecessaryAsync") // the model
  void updatesLikeAnAtomicLong(Kind kind) {
    PersistentCounter counter = open(kind);
    AtomicLong model = new AtomicLong();
    assertThat(counter.getAndSet(3)).isEqualTo(model.getAndSet(3));
    assertThat(counter.getAndSet(5)).isEqualTo(model.getAndSet(5));
    assertThat(counter.getAndUpdate(n -> -n)).isEqualTo(model.getAndUpdate(n -> -n));
    assertThat(counter.accumulateAndGet(7, (n, x) -> n - x))
        .isEqualTo(model.accumulateAndGet(7, (n, x) -> n - x));
    assertThat(counter.getAndAccumulate(9, Math::max))
        .isEqualTo(model.getAndAccumulate(9, Math::max));
    assertThat(counter.get()).isEqualTo(model.get()).isEqualTo(9);
  }

  @ParameterizedTest
  @EnumSource
  void anUpdateKeepsTheExpiryThatGetAndSetReplaces(Kind kind) {
    PersistentCounter counter = open(kind);
    counter.set(1, Duration.ofSeconds(1));
    counter.getAndUpdate(n -> n + 1);
    assertThat(counter.clearsIn()).contains(Duration.ofSeconds(1));
    assertThat(counter.getAndSet(3)).isEqualTo(2);
    assertThat(counter.clearsIn()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void comparesAndSets(Kind kind) {
    PersistentCounter counter = open(kind);
    assertThat(counter.compareAndSet(1, 2)).isFalse();
    assertThat(counter.compareAndSet(0, 2)).isTrue();
    assertThat(counter.compareAndSet(0, 3)).isFalse();
    assertThat(counter.compareAndSet(2, 0)).isTrue();
    assertThat(counter.compareAndSet(0, 5)).isTrue();
    assertThat(counter).hasToString("5");
  }

  @ParameterizedTest
  @EnumSource
  void refusesToOverflow(Kind kind) {
    PersistentCounter counter = open(kind);
    counter.set(Long.MIN_VALUE);
    assertThatThrownBy(counter::decrementAndGet).isInstanceOf(ArithmeticException.class);
    assertThat(counter.get()).isEqualTo(Long.MIN_VALUE);
  }

  @ParameterizedTest
  @EnumSource
  void countsWithinATime(Kind kind) {
    open(kind);
    StructureOptions window = StructureOptions.defaults().entryTtl(Duration.ofSeconds(1));
    PersistentCounter counter = store.pool().counter("window", o -> window);
    counter.incrementAndGet();
    store.clock.advanceMillis(999);
    assertThat(counter.incrementAndGet()).isEqualTo(2);
    store.clock.advanceMillis(1);
    assertThat(counter.get()).isZero();
    assertThat(counter.incrementAndGet()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void losesNoIncrement(Kind kind) throws Exception {
    PersistentCounter counter = open(kind);
    Threads.run(
        Threads.CONTENDERS,
        thread -> {
          for (int i = 0; i < 250; i++) {
            counter.incrementAndGet();
            counter.updateAndGet(old -> old + 1);
          }
        });
    assertThat(counter.get()).isEqualTo(Threads.CONTENDERS * 500L);
  }
}
