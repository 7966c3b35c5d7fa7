package io.rockpool.spring.session;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.session.FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME;

import io.rockpool.Rockpool;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.Seeds;
import io.rockpool.testing.Slow;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.session.events.SessionExpiredEvent;

/** Random operations on sessions, with reopening, against a map. */
@Slow
final class SessionModelTest {
  private static final int STEPS = 1_500;

  /** A session of the model. */
  private static final class Expected {
    private final Map<String, Object> attributes = new HashMap<>();
    private @Nullable Instant expiry;
    private Duration interval = Duration.ofMinutes(30);
  }

  private final FakeClock clock = new FakeClock();
  private final Map<String, Expected> model = new TreeMap<>();
  private final List<String> expired = new ArrayList<>();
  @TempDir Path directory;
  private Rockpool pool;
  private RockpoolIndexedSessionRepository repository;

  private void open() {
    pool = Rockpool.at(directory).clock(clock).open();
    repository = new RockpoolIndexedSessionRepository(pool);
    repository.setClock(clock);
    repository.setApplicationEventPublisher(
        event -> {
          if (event instanceof SessionExpiredEvent ended) {
            expired.add(ended.getSessionId());
          }
        });
  }

  @Test
  void sessionsAreThoseOfTheModel() {
    open();
    try {
      Seeds.all().forEach(seed -> run(new Random(seed)));
    } finally {
      pool.close();
    }
  }

  private void run(Random random) {
    for (int i = 0; i < STEPS; i++) {
      step(random);
    }
    clock.advanceMillis(Duration.ofDays(400).toMillis());
    repository.cleanUpExpiredSessions();
    List.copyOf(model.keySet()).stream().filter(this::isAlive).forEach(this::delete);
    checkExpired();
    assertThat(model).isEmpty();
    String name = RockpoolIndexedSessionRepository.DEFAULT_NAME;
    assertThat(pool.scoredSet(name + "/expirations", String.class)).isEmpty();
    assertThat(
            pool.table(name + "/principals", String.class, String.class, Boolean.class).isEmpty())
        .isTrue();
    assertThat(
            pool.table(name + "/sessions", String.class, String.class, SessionCell.class).isEmpty())
        .isTrue();
  }

  private void step(Random random) {
    int kind = random.nextInt(20);
    if (kind == 0) {
      clock.advanceMillis(random.nextInt(900_000));
    } else if (kind == 1) {
      repository.cleanUpExpiredSessions();
      checkExpired();
    } else if (kind == 2 && random.nextInt(15) == 0) {
      pool.close();
      open();
    } else if (kind < 5 || model.isEmpty()) {
      create(random);
    } else if (kind == 5) {
      delete(one(random));
    } else {
      change(one(random), random);
    }
    checkPrincipal("p-" + random.nextInt(4));
  }

  private String one(Random random) {
    return List.copyOf(model.keySet()).get(random.nextInt(model.size()));
  }

  private boolean isAlive(String id) {
    Instant expiry = model.get(id).expiry;
    return expiry == null || clock.instant().isBefore(expiry);
  }

  private void create(Random random) {
    RockpoolSession session = repository.createSession();
    Expected expected = new Expected();
    expected.expiry = clock.instant().plus(expected.interval);
    set(session, expected, random);
    repository.save(session);
    model.put(session.getId(), expected);
  }

  private void delete(String id) {
    boolean alive = isAlive(id);
    if (!alive) {
      repository.findById(id); // raises its event
      checkExpired();
    }
    repository.deleteById(id);
    model.remove(id);
  }

  private void change(String id, Random random) {
    RockpoolSession session = repository.findById(id);
    if (!isAlive(id)) {
      assertThat(session).isNull();
      checkExpired();
      return;
    }
    Expected expected = model.remove(id);
    assertThat(attributes(session)).isEqualTo(expected.attributes);
    assertThat(session.getMaxInactiveInterval()).isEqualTo(expected.interval);
    switch (random.nextInt(4)) {
      case 0 -> session.changeSessionId();
      case 1 -> {
        session.setMaxInactiveInterval(Duration.ofSeconds(random.nextInt(3_000) - 100));
        expected.interval = session.getMaxInactiveInterval();
        session.setLastAccessedTime(clock.instant());
      }
      case 2 -> session.setLastAccessedTime(clock.instant());
      default -> set(session, expected, random);
    }
    expected.expiry =
        expected.interval.isNegative()
            ? null
            : session.getLastAccessedTime().plus(expected.interval);
    repository.save(session);
    model.put(session.getId(), expected);
  }

  private static void set(RockpoolSession session, Expected expected, Random random) {
    String name =
        random.nextInt(3) == 0 ? PRINCIPAL_NAME_INDEX_NAME : "attribute " + random.nextInt(4);
    if (random.nextInt(4) == 0) {
      session.removeAttribute(name);
      expected.attributes.remove(name);
    } else {
      String value = "p-" + random.nextInt(4);
      session.setAttribute(name, value);
      expected.attributes.put(name, value);
    }
  }

  private static Map<String, Object> attributes(RockpoolSession session) {
    Map<String, Object> attributes = new HashMap<>();
    session
        .getAttributeNames()
        .forEach(name -> attributes.put(name, session.<Object>getAttribute(name)));
    return attributes;
  }

  private void checkPrincipal(String principal) {
    Set<String> ids =
        model.entrySet().stream()
            .filter(each -> isAlive(each.getKey()))
            .filter(
                each -> principal.equals(each.getValue().attributes.get(PRINCIPAL_NAME_INDEX_NAME)))
            .map(Map.Entry::getKey)
            .collect(toSet());
    assertThat(repository.findByPrincipalName(principal).keySet()).isEqualTo(ids);
    checkExpired();
  }

  /** Each event is of a session that has expired, and is raised once. */
  private void checkExpired() {
    for (String id : expired) {
      assertThat(model).containsKey(id);
      assertThat(isAlive(id)).isFalse();
      model.remove(id);
    }
    expired.clear();
  }
}
