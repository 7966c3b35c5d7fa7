package io.rockpool.sample.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SessionStoreTest {
  private static final Duration IDLE = Duration.ofMinutes(30);
  private static final Duration INSTANT = Duration.ofMillis(1);

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2030-01-01T00:00:00Z"));
  private final InstantSource clock = now::get;

  @TempDir private Path directory;
  private Rockpool pool;
  private SessionStore store;

  @BeforeEach
  void open() {
    pool = Rockpool.at(directory).clock(clock).open();
    store = new SessionStore(pool, clock, IDLE);
  }

  @AfterEach
  void close() {
    pool.close();
  }

  @Test
  void aSessionEndsWhenNobodyAsksForIt() {
    Session alice = store.login("alice");
    pass(IDLE.minus(INSTANT));
    assertThat(store.timeLeft(alice.id())).contains(INSTANT);
    assertThat(store.open()).containsExactly(alice);
    pass(INSTANT);
    assertThat(store.access(alice.id())).isEmpty();
    assertThat(store.set(alice.id(), "cart", "1")).isEmpty();
    assertThat(store.timeLeft(alice.id())).isEmpty();
    assertThat(store.open()).isEmpty();
    assertThat(store.logout(alice.id())).isFalse();
  }

  @Test
  void anAccessLetsASessionLiveOn() {
    Session alice = store.login("alice");
    Session bob = store.login("bob");
    for (int times = 0; times < 5; times++) {
      pass(IDLE.minus(INSTANT));
      assertThat(store.access(alice.id())).contains(alice);
    }
    assertThat(store.access(bob.id())).isEmpty();
    assertThat(store.timeLeft(alice.id())).contains(IDLE);
  }

  @Test
  void attributesAreKeptForEachSessionAndSettingThemIsAnAccess() {
    Session first = store.login("alice");
    Session second = store.login("alice");
    pass(IDLE.minus(INSTANT));
    assertThat(store.set(first.id(), "cart", "1")).contains(first.with("cart", "1"));
    assertThat(store.access(second.id())).contains(second);
    pass(IDLE.minus(INSTANT));
    assertThat(store.set(first.id(), "page", "/checkout").orElseThrow().attributes())
        .isEqualTo(Map.of("cart", "1", "page", "/checkout"));
    assertThat(store.logout(first.id())).isTrue();
    assertThat(store.open()).containsExactly(second);
  }

  @Test
  void aRestartChangesNothing() {
    Session alice = store.login("alice");
    Session bob = store.login("bob");
    pass(IDLE.minus(INSTANT));
    Session changed = store.set(alice.id(), "cart", "1").orElseThrow();
    restart();
    assertThat(store.timeLeft(bob.id())).contains(INSTANT);
    pass(INSTANT);
    restart();
    assertThat(store.access(bob.id())).isEmpty();
    assertThat(store.access(alice.id())).contains(changed);
    pass(IDLE);
    restart();
    assertThat(store.open()).isEmpty();
  }

  private void restart() {
    pool.close();
    open();
  }

  private void pass(Duration time) {
    now.updateAndGet(instant -> instant.plus(time));
  }
}
