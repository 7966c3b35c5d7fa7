package io.rockpool.spring.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.session.FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME;

import io.rockpool.Rockpool;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.testing.FakeClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.session.FlushMode;
import org.springframework.session.SaveMode;
import org.springframework.session.events.AbstractSessionEvent;
import org.springframework.session.events.SessionCreatedEvent;
import org.springframework.session.events.SessionDeletedEvent;
import org.springframework.session.events.SessionExpiredEvent;

/** What the repository itself promises; another class uses it in an application. */
final class SessionRepositoryTest {
  private static final long HALF_HOUR = Duration.ofMinutes(30).toMillis();

  private record Basket(String article, int count) {}

  private final FakeClock clock = new FakeClock();
  private final List<AbstractSessionEvent> events = new CopyOnWriteArrayList<>();
  @TempDir Path directory;
  private Rockpool pool;
  private RockpoolIndexedSessionRepository repository;

  @BeforeEach
  void open() {
    pool = Rockpool.at(directory).clock(clock).open();
    repository = new RockpoolIndexedSessionRepository(pool);
    repository.setClock(clock);
    repository.setApplicationEventPublisher(event -> events.add((AbstractSessionEvent) event));
  }

  @AfterEach
  void close() {
    pool.close();
  }

  private void reopen() {
    close();
    open();
  }

  private RockpoolSession saved(String principal) {
    RockpoolSession session = repository.createSession();
    session.setAttribute("basket", new Basket("apple", 2));
    session.setAttribute(PRINCIPAL_NAME_INDEX_NAME, principal);
    repository.save(session);
    return session;
  }

  private void access(RockpoolSession session) {
    session.setLastAccessedTime(clock.instant());
    repository.save(session);
  }

  /** Whether no record of any session is left. */
  private void assertEmpty() {
    String name = RockpoolIndexedSessionRepository.DEFAULT_NAME;
    assertThat(pool.names().list(name)).hasSize(3);
    assertThat(
            pool.<String, String, SessionCell>table(
                    name + "/sessions", String.class, String.class, SessionCell.class)
                .isEmpty())
        .isTrue();
    assertThat(
            pool.table(name + "/principals", String.class, String.class, Boolean.class).isEmpty())
        .isTrue();
    assertThat(pool.scoredSet(name + "/expirations", String.class)).isEmpty();
  }

  @Test
  void aSessionSurvivesReopening() {
    RockpoolSession session = saved("ann");
    clock.advanceMillis(5);
    session.setMaxInactiveInterval(Duration.ofHours(2));
    access(session);
    reopen();
    RockpoolSession found = repository.findById(session.getId());
    assertThat(found.<Basket>getAttribute("basket")).isEqualTo(new Basket("apple", 2));
    assertThat(found.getAttributeNames()).containsOnly("basket", PRINCIPAL_NAME_INDEX_NAME);
    assertThat(found.getCreationTime()).isEqualTo(clock.instant().minusMillis(5));
    assertThat(found.getLastAccessedTime()).isEqualTo(clock.instant());
    assertThat(found.getMaxInactiveInterval()).isEqualTo(Duration.ofHours(2));
    assertThat(found.isExpired()).isFalse();
    assertThat(repository.findByPrincipalName("ann")).containsOnlyKeys(session.getId());
  }

  @Test
  void aSessionThatWasNotSavedIsNotThere() {
    RockpoolSession session = repository.createSession();
    session.setAttribute("basket", "a");
    assertThat(repository.findById(session.getId())).isNull();
    assertThat(events).isEmpty();
    assertEmpty();
  }

  @Test
  void requestsThatChangeDifferentAttributesBothSucceed() {
    RockpoolSession session = saved("ann");
    RockpoolSession one = repository.findById(session.getId());
    RockpoolSession two = repository.findById(session.getId());
    one.setAttribute("one", 1);
    one.removeAttribute("basket");
    two.setAttribute("two", 2);
    repository.save(one);
    repository.save(two);
    RockpoolSession found = repository.findById(session.getId());
    assertThat(found.getAttributeNames()).containsOnly("one", "two", PRINCIPAL_NAME_INDEX_NAME);
  }

  @Test
  void threadsLoseNoAttribute() {
    String id = saved("ann").getId();
    IntStream.range(0, 200)
        .parallel()
        .forEach(
            i -> {
              RockpoolSession mine = repository.findById(id);
              mine.setAttribute("a-" + i, i);
              mine.setLastAccessedTime(clock.instant());
              repository.save(mine);
            });
    RockpoolSession found = repository.findById(id);
    IntStream.range(0, 200)
        .forEach(i -> assertThat(found.<Integer>getAttribute("a-" + i)).isEqualTo(i));
  }

  @Test
  void aNewIdMovesTheSession() {
    RockpoolSession session = saved("ann");
    String before = session.getId();
    events.clear();
    session.setAttribute("more", 1);
    String after = session.changeSessionId();
    repository.save(session);
    assertThat(repository.findById(before)).isNull();
    reopen();
    RockpoolSession found = repository.findById(after);
    assertThat(found.getAttributeNames()).containsOnly("basket", "more", PRINCIPAL_NAME_INDEX_NAME);
    assertThat(repository.findByPrincipalName("ann")).containsOnlyKeys(after);
    assertThat(events).isEmpty();
    clock.advanceMillis(HALF_HOUR);
    repository.cleanUpExpiredSessions();
    assertThat(events).hasSize(1).first().isInstanceOf(SessionExpiredEvent.class);
    assertEmpty();
  }

  @Test
  void aNewSessionMayChangeItsId() {
    RockpoolSession session = repository.createSession();
    String before = session.getId();
    String after = session.changeSessionId();
    repository.save(session);
    assertThat(repository.findById(before)).isNull();
    assertThat(repository.findById(after)).isNotNull();
  }

  @Test
  void aDeletedSessionStaysDeleted() {
    RockpoolSession session = saved("ann");
    RockpoolSession late = repository.findById(session.getId());
    RockpoolSession moving = repository.findById(session.getId());
    repository.deleteById(session.getId());
    late.setAttribute("late", 1);
    assertThatThrownBy(() -> repository.save(late)).isInstanceOf(IllegalStateException.class);
    moving.changeSessionId();
    assertThatThrownBy(() -> repository.save(moving)).isInstanceOf(IllegalStateException.class);
    assertThat(repository.findById(session.getId())).isNull();
    assertThat(repository.findByPrincipalName("ann")).isEmpty();
    assertEmpty();
  }

  @Test
  void eventsFollowTheLifeOfASession() {
    String id = saved("ann").getId();
    access(repository.findById(id));
    repository.deleteById(id);
    repository.deleteById(id);
    assertThat(events)
        .<Class<?>>extracting(Object::getClass)
        .containsExactly(SessionCreatedEvent.class, SessionDeletedEvent.class);
    for (AbstractSessionEvent event : events) {
      assertThat(event.getSessionId()).isEqualTo(id);
      assertThat(event.getSession().<Basket>getAttribute("basket"))
          .isEqualTo(new Basket("apple", 2));
    }
  }

  @Test
  void aListenerThatFailsDoesNotFailTheSave() {
    repository.setApplicationEventPublisher(
        event -> {
          throw new IllegalStateException("no");
        });
    assertThat(repository.findById(saved("ann").getId())).isNotNull();
  }

  @Test
  void expiryIsExactAndItsEventIsRaisedOnce() {
    String id = saved("ann").getId();
    events.clear();
    clock.advanceMillis(HALF_HOUR - 1);
    assertThat(repository.findById(id)).isNotNull();
    repository.cleanUpExpiredSessions();
    assertThat(events).isEmpty();
    clock.advanceMillis(1);
    assertThat(repository.findById(id)).isNull();
    assertThat(repository.findById(id)).isNull();
    repository.cleanUpExpiredSessions();
    assertThat(events).hasSize(1).first().isInstanceOf(SessionExpiredEvent.class);
    assertThat(events.get(0).getSession().<Basket>getAttribute("basket").count()).isEqualTo(2);
    assertEmpty();
  }

  @Test
  void anAccessExtendsALife() {
    String id = saved("ann").getId();
    for (int i = 0; i < 5; i++) {
      clock.advanceMillis(HALF_HOUR - 1);
      repository.cleanUpExpiredSessions();
      access(repository.findById(id));
    }
    clock.advanceMillis(HALF_HOUR - 1);
    repository.cleanUpExpiredSessions();
    assertThat(repository.findById(id)).isNotNull();
    clock.advanceMillis(1);
    repository.cleanUpExpiredSessions();
    assertThat(events).hasSize(2);
    assertEmpty();
  }

  @Test
  void aShorterIntervalExpiresEarlier() {
    RockpoolSession session = saved("ann");
    session.setMaxInactiveInterval(Duration.ofMinutes(1));
    repository.save(session);
    clock.advanceMillis(Duration.ofMinutes(1).toMillis());
    repository.cleanUpExpiredSessions();
    assertEmpty();
  }

  @Test
  void aSessionWithoutAnIntervalNeverExpires() {
    RockpoolSession session = saved("ann");
    session.setMaxInactiveInterval(Duration.ofSeconds(-1));
    repository.save(session);
    clock.advanceMillis(Duration.ofDays(10_000).toMillis());
    repository.cleanUpExpiredSessions();
    RockpoolSession found = repository.findById(session.getId());
    assertThat(found).isNotNull();
    found.setMaxInactiveInterval(Duration.ofSeconds(Long.MAX_VALUE));
    repository.save(found);
    assertThat(repository.findById(session.getId())).isNotNull();
    found.setMaxInactiveInterval(Duration.ZERO);
    repository.save(found);
    repository.cleanUpExpiredSessions();
    assertEmpty();
  }

  @Test
  void sessionsThatExpiredWhileTheApplicationWasDownAreRemoved() {
    for (int i = 0; i < 600; i++) {
      saved("user-" + i % 7);
    }
    close();
    events.clear();
    clock.advanceMillis(HALF_HOUR);
    open();
    repository.cleanUpExpiredSessions();
    assertThat(events).hasSize(600).hasOnlyElementsOfType(SessionExpiredEvent.class);
    assertEmpty();
  }

  @Test
  void sessionsAreFoundByTheirPrincipal() {
    RockpoolSession one = saved("ann");
    RockpoolSession two = saved("ann");
    RockpoolSession other = saved("bob");
    assertThat(repository.findByPrincipalName("ann")).containsOnlyKeys(one.getId(), two.getId());
    two.setAttribute(PRINCIPAL_NAME_INDEX_NAME, "bob");
    repository.save(two);
    assertThat(repository.findByPrincipalName("ann")).containsOnlyKeys(one.getId());
    assertThat(repository.findByPrincipalName("bob")).containsOnlyKeys(two.getId(), other.getId());
    other.removeAttribute(PRINCIPAL_NAME_INDEX_NAME);
    repository.save(other);
    reopen();
    assertThat(repository.findByPrincipalName("bob")).containsOnlyKeys(two.getId());
    assertThat(repository.findByIndexNameAndIndexValue("other", "bob")).isEmpty();
  }

  @Test
  void aRequestFromBeforeTheLoginKeepsTheIndex() {
    RockpoolSession session = repository.createSession();
    repository.save(session);
    RockpoolSession before = repository.findById(session.getId());
    session.setAttribute(PRINCIPAL_NAME_INDEX_NAME, "ann");
    repository.save(session);
    before.setAttribute("page", 2);
    access(before);
    assertThat(repository.findByPrincipalName("ann")).containsOnlyKeys(session.getId());
  }

  @Test
  void theContextOfSpringSecurityIsStoredAndIndexed() {
    RockpoolSession session = repository.createSession();
    SecurityContextImpl context =
        new SecurityContextImpl(
            UsernamePasswordAuthenticationToken.authenticated(
                "ann", null, AuthorityUtils.createAuthorityList("ROLE_USER")));
    session.setAttribute("SPRING_SECURITY_CONTEXT", context);
    repository.save(session);
    reopen();
    RockpoolSession found = repository.findByPrincipalName("ann").get(session.getId());
    assertThat(found.<Object>getAttribute("SPRING_SECURITY_CONTEXT")).isEqualTo(context);
  }

  @Test
  void immediateFlushWritesEachChange() {
    repository.setFlushMode(FlushMode.IMMEDIATE);
    RockpoolSession session = repository.createSession();
    assertThat(repository.findById(session.getId())).isNotNull();
    session.setAttribute("a", 1);
    assertThat(repository.findById(session.getId()).<Integer>getAttribute("a")).isEqualTo(1);
    String before = session.getId();
    session.changeSessionId();
    assertThat(repository.findById(before)).isNull();
    session.removeAttribute("a");
    session.setMaxInactiveInterval(Duration.ofHours(1));
    RockpoolSession found = repository.findById(session.getId());
    assertThat(found.getAttributeNames()).isEmpty();
    assertThat(found.getMaxInactiveInterval()).isEqualTo(Duration.ofHours(1));
    assertThat(events).hasSize(1);
  }

  @Test
  void theSaveModeSaysWhichAttributesAreWritten() {
    for (SaveMode mode : SaveMode.values()) {
      RockpoolSession session = repository.createSession();
      session.setAttribute("read", new ArrayList<>());
      session.setAttribute("other", new ArrayList<>());
      repository.save(session);
      repository.setSaveMode(mode);
      RockpoolSession found = repository.findById(session.getId());
      repository.setSaveMode(SaveMode.ON_SET_ATTRIBUTE);
      List<Integer> other = found.getAttribute("other");
      other.add(1);
      repository.setSaveMode(mode);
      found.<List<Integer>>getAttribute("read").add(1);
      repository.save(found);
      repository.setSaveMode(SaveMode.ON_SET_ATTRIBUTE);
      found = repository.findById(session.getId());
      assertThat(found.<List<Integer>>getAttribute("read"))
          .hasSize(mode == SaveMode.ON_SET_ATTRIBUTE ? 0 : 1);
      assertThat(found.<List<Integer>>getAttribute("other"))
          .hasSize(mode == SaveMode.ALWAYS ? 1 : 0);
    }
  }

  @Test
  void anAttributeThatCannotBeEncodedIsRefusedAndChangesNothing() {
    RockpoolSession session = saved("ann");
    session.setAttribute("good", 1);
    session.setAttribute("bad", Thread.currentThread());
    session.setAttribute(PRINCIPAL_NAME_INDEX_NAME, "bob");
    assertThatThrownBy(() -> repository.save(session))
        .isInstanceOf(UnencodableValueException.class);
    assertThat(repository.findById(session.getId()).getAttributeNames())
        .containsOnly("basket", PRINCIPAL_NAME_INDEX_NAME);
    assertThat(repository.findByPrincipalName("ann")).hasSize(1);
    assertThat(repository.findByPrincipalName("bob")).isEmpty();
  }

  @Test
  void operationsJoinATransaction() {
    RockpoolSession kept = saved("ann");
    events.clear();
    assertThatThrownBy(
            () ->
                pool.runAtomically(
                    tx -> {
                      repository.deleteById(kept.getId());
                      assertThat(repository.findById(kept.getId())).isNull();
                      saved("ann");
                      throw new IllegalStateException("undone");
                    }))
        .hasMessage("undone");
    assertThat(repository.findByPrincipalName("ann")).containsOnlyKeys(kept.getId());
    assertThat(events).isEmpty();
    pool.runAtomically(tx -> repository.deleteById(kept.getId()));
    assertThat(events).hasSize(1);
  }

  @Test
  void theScheduledCleanupEndsWithTheRepository() throws Exception {
    repository.setCleanupCron("* * * * * *");
    repository.afterPropertiesSet();
    try {
      saved("ann");
      clock.advanceMillis(HALF_HOUR);
      while (events.size() < 2) {
        Thread.sleep(10);
      }
    } finally {
      repository.destroy();
    }
    assertThat(events.get(1)).isInstanceOf(SessionExpiredEvent.class);
    assertEmpty();
  }
}
