package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.engine.Limits;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.testing.HandleUnderTest;
import io.rockpool.testing.NotEncrypted;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** However large the elements are, a transaction reads only a few megabytes of them at once. */
@NotEncrypted("counts what an engine below returns")
final class LargeElementsTest {
  private static final int ELEMENTS = 200;
  private static final String LARGE = "x".repeat(200_000);

  private final HandleUnderTest handle =
      new HandleUnderTest(MemoryEngine.builder().shared().build());
  private final Rockpool pool = Rockpool.over(handle.engine());
  private final PersistentDeque<String> deque = pool.deque("deque", String.class);
  private final List<String> all =
      IntStream.range(0, ELEMENTS).mapToObj(i -> 1_000 + i + LARGE).toList();

  @AfterEach
  void everyReadWasSmall() {
    assertThat(handle.largestReadBytes())
        .isBetween(1_000_000L, Limits.MAX_BATCH_BYTES + LARGE.length() + 100L);
    pool.close();
  }

  @Test
  void ofADequeThatIsTrimmed() {
    deque.addAll(all);
    assertThat(deque.trim(90, 110)).isEqualTo(ELEMENTS - 20);
    assertThat(deque).containsExactlyElementsOf(all.subList(90, 110));
    assertThat(deque.trim(0, 0)).isEqualTo(20);
    assertThat(deque.count()).isZero();
  }

  @Test
  void ofADequeThatIsPolled() {
    deque.addAll(all);
    assertThat(deque.pollFirst(70)).isEqualTo(all.subList(0, 70));
    List<String> last = new ArrayList<>(all.subList(130, ELEMENTS));
    Collections.reverse(last);
    assertThat(deque.pollLast(70)).isEqualTo(last);
    List<String> drained = new ArrayList<>();
    assertThat(deque.drainTo(drained)).isEqualTo(60);
    assertThat(drained).isEqualTo(all.subList(70, 130));
    assertThat(deque.count()).isZero();
  }

  @Test
  void ofADequeWithElementsInItsMiddle() {
    deque.addAll(all);
    assertThat(deque.removeFirstOccurrence(all.get(100))).isTrue(); // now an index needs a scan
    assertThat(deque.get(80)).isEqualTo(all.get(80));
    assertThat(deque.range(10, 190)).hasSize(180).endsWith(all.get(190));
    assertThat(deque.insertBefore(all.get(150), "new")).isTrue();
  }

  @Test
  void ofASortedMap() {
    PersistentSortedMap<Integer, String> map = pool.sortedMap("map", Integer.class, String.class);
    for (int i = 0; i < ELEMENTS; i++) {
      map.put(i, all.get(i));
    }
    map.headMap(190).clear();
    assertThat(map.firstKey()).isEqualTo(190);
  }
}
