package io.rockpool.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.Seeds;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.camel.spi.IdempotentRepository;
import org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the repository itself promises; {@link RoutesTest} uses it in a route. */
final class RockpoolIdempotentRepositoryTest {
  private static final Duration TTL = Duration.ofHours(1);

  private final FakeClock clock = new FakeClock();
  @TempDir Path directory;
  private Rockpool pool;
  private RockpoolIdempotentRepository repository;

  @BeforeEach
  void open() {
    pool = Rockpool.at(directory).clock(clock).open();
    repository = new RockpoolIdempotentRepository(pool, "seen");
  }

  @AfterEach
  void close() {
    pool.close();
  }

  private void reopen() {
    close();
    open();
  }

  @Test
  void aKeyIsForgottenAfterItsTtl() {
    repository =
        new RockpoolIdempotentRepository(pool, "briefly-seen", options -> options.entryTtl(TTL));
    assertThat(repository.add("a")).isTrue();
    clock.advanceMillis(TTL.toMillis() - 1);
    assertThat(repository.add("a")).isFalse();
    assertThat(repository.contains("a")).isTrue();
    clock.advanceMillis(1);
    assertThat(repository.contains("a")).isFalse();
    assertThat(repository.add("a")).isTrue();
  }

  @Test
  void operationsJoinATransaction() {
    repository.add("a");
    assertThatThrownBy(
            () ->
                pool.runAtomically(
                    tx -> {
                      assertThat(repository.remove("a")).isTrue();
                      assertThat(repository.add("b")).isTrue();
                      throw new IllegalStateException("undone");
                    }))
        .hasMessage("undone");
    assertThat(repository.contains("a")).isTrue();
    assertThat(repository.contains("b")).isFalse();
  }

  @Test
  void oneOfSeveralThreadsAddsAKey() {
    AtomicInteger added = new AtomicInteger();
    IntStream.range(0, 4_000)
        .parallel()
        .filter(i -> repository.add("k-" + i % 500))
        .forEach(i -> added.incrementAndGet());
    assertThat(added).hasValue(500);
  }

  @Test
  void itDoesWhatCamelsOwnRepositoryDoes() {
    Seeds.all()
        .forEach(
            seed -> {
              Random random = new Random(seed);
              IdempotentRepository expected =
                  MemoryIdempotentRepository.memoryIdempotentRepository();
              expected.start();
              repository.clear();
              for (int i = 0; i < 1_000; i++) {
                step(random, expected, "k-" + random.nextInt(10));
              }
            });
  }

  private void step(Random random, IdempotentRepository expected, String key) {
    switch (random.nextInt(100)) {
      case 0 -> reopen();
      case 1 -> {
        repository.clear();
        expected.clear();
      }
      default -> {
        switch (random.nextInt(4)) {
          case 0 -> assertThat(repository.add(key)).isEqualTo(expected.add(key));
          case 1 -> assertThat(repository.remove(key)).isEqualTo(expected.remove(key));
          case 2 -> assertThat(repository.confirm(key)).isEqualTo(expected.confirm(key));
          default -> assertThat(repository.contains(key)).isEqualTo(expected.contains(key));
        }
      }
    }
  }
}
