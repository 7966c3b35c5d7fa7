package io.rockpool.sample.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.sample.testing.Program;
import io.rockpool.sample.testing.Stores;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the program as its users do, each command in a JVM of its own. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class SessionsTest {
  private static final Duration IDLE = Duration.ofHours(1);
  private static final int VISITORS = 4;

  /** How many changes each visitor has seen before the kill: some milliseconds of them. */
  private static final int CHANGES = 50;

  private static final Pattern LOGGED_IN = Pattern.compile("alice is logged in: session (\\S+)\\.");
  private static final Pattern TAKEN = Pattern.compile("(\\S+) has (\\d+) in the cart\\.");

  @TempDir private Path directory;

  @Test
  void aSessionGoesFromProcessToProcess() throws Exception {
    Matcher login = LOGGED_IN.matcher(said(0, "login", "alice"));
    assertThat(login.find()).isTrue();
    String id = login.group(1);
    assertThat(said(0, "set", id, "cart", "3")).contains("alice", "ends in 60 min", "{cart=3}");
    assertThat(said(0, "logout", id)).contains("has ended");
    assertThat(said(1, "show", id)).contains("There is no session " + id);
  }

  @Test
  void whatACrowdWasToldIsThereAfterAKill() throws Exception {
    Map<String, Integer> told = new HashMap<>();
    try (Program crowd = start("crowd", "--visitors", VISITORS, "--things", Integer.MAX_VALUE)) {
      while (told.size() < VISITORS || Collections.min(told.values()) < CHANGES) {
        assertThat(note(crowd.readLine(), told)).isTrue();
      }
      crowd.kill();
      for (String line = crowd.readLine(); line != null; line = crowd.readLine()) {
        note(line, told);
      }
      assertThat(crowd.exitCode()).isEqualTo(Program.KILLED);
    }
    InstantSource clock = InstantSource.fixed(Instant.now());
    try (Rockpool pool = Rockpool.at(directory).clock(clock).open()) {
      SessionStore store = new SessionStore(pool, clock, IDLE);
      List<Session> open = store.open().toList();
      assertThat(open).extracting(Session::user).containsExactlyInAnyOrderElementsOf(told.keySet());
      for (Session session : open) {
        int last = told.get(session.user());
        assertThat(Integer.parseInt(session.attributes().get(Crowd.CART)))
            .as("what %s has, who was told of %d", session.user(), last)
            .isBetween(last, last + 1);
        Instant ends = clock.instant().plus(store.timeLeft(session.id()).orElseThrow());
        assertThat(ends)
            .as("the end of a session that began at %s and was asked for later", session.began())
            .isAfter(session.began().plus(IDLE));
      }
    }
    assertThat(said(0, "list")).contains(VISITORS + " sessions are open.");
    Stores.verify(directory);
  }

  /** Notes what a line says; one that the kill cut counts for nothing. */
  private static boolean note(String line, Map<String, Integer> told) {
    Matcher taken = TAKEN.matcher(line);
    boolean whole = taken.matches();
    if (whole) {
      told.put(taken.group(1), Integer.valueOf(taken.group(2)));
    }
    return whole;
  }

  private String said(int exitCode, Object... command) throws Exception {
    try (Program program = start(command)) {
      String output = program.output();
      assertThat(program.exitCode()).as(output).isEqualTo(exitCode);
      return output;
    }
  }

  private Program start(Object... command) throws Exception {
    Object[] arguments = new Object[command.length + 4];
    List.of("--directory", directory, "--idle", IDLE).toArray(arguments);
    System.arraycopy(command, 0, arguments, 4, command.length);
    return Program.start(Sessions.class, arguments);
  }
}
