package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.engine.Engine;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.TestServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that waits gets an element that another handle of the store adds. */
@Timeout(30)
class WaitingHandlesTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  @Test
  void anotherHandleEndsAWait() throws Exception {
    List<Engine> handles = TestServer.openTwice(new FakeClock());
    try (Rockpool one = Rockpool.at(o -> handles.get(0)).open();
        Rockpool other = Rockpool.at(o -> handles.get(1)).open()) {
      PersistentScoredSet<String> set = one.scoredSet("set", String.class);
      PersistentDeque<String> deque = one.deque("deque", String.class);
      PersistentDeque<String> empty = one.deque("empty", String.class);
      WaitingCall<ScoredElement<String>> ofSet = new WaitingCall<>(() -> set.pollLast(LONG));
      other.scoredSet("set", String.class).add("a", 1);
      assertThat(ofSet.result()).isEqualTo(new ScoredElement<>("a", 1));
      WaitingCall<List<ScoredElement<String>>> ofSets =
          new WaitingCall<>(
              () ->
                  PersistentScoredSet.pollFirstOf(List.of(set), 2, LONG).orElseThrow().elements());
      other.scoredSet("set", String.class).add("b", 2);
      assertThat(ofSets.result()).containsExactly(new ScoredElement<>("b", 2));
      WaitingCall<List<String>> ofDeques =
          new WaitingCall<>(
              () ->
                  PersistentDeque.pollFirstOf(List.of(empty, deque), 2, LONG)
                      .orElseThrow()
                      .elements());
      other.deque("deque", String.class).addLast("c");
      assertThat(ofDeques.result()).containsExactly("c");
    }
  }
}
