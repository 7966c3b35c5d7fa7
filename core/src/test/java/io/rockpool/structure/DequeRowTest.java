package io.rockpool.structure;

import static io.rockpool.structure.DequeEnd.FIRST;
import static io.rockpool.structure.DequeEnd.LAST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.RowRecord;
import io.rockpool.error.LimitExceededException;
import io.rockpool.internal.format.DequeEnds;
import io.rockpool.internal.format.PositionFormat;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a deque's operations cost in its row, and that its order stands when elements move. */
class DequeRowTest {
  private final CountingRow row = new CountingRow();

  private void change(Consumer<DequeRow> work) {
    DequeRow deque = new DequeRow(row);
    work.accept(deque);
    deque.save();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(RowRecord record) {
    return new String(record.value(), StandardCharsets.UTF_8);
  }

  private List<String> contents() {
    DequeRow deque = new DequeRow(row);
    return deque.all(DequeRow.range(deque.ends())).stream().map(DequeRowTest::text).toList();
  }

  private void add(String text) {
    change(deque -> deque.add(LAST, bytes(text), Expiry.NEVER));
  }

  private void insert(long index, String text) {
    change(
        deque -> {
          RowRecord right = deque.at(index);
          new DequeGap(deque).insert(deque.next(right, LAST), right, bytes(text), Expiry.NEVER);
        });
  }

  @Test
  void aQueueAndAStackNeverSeek() {
    for (int i = 0; i < 1_000; i++) {
      add("q" + i);
    }
    for (int i = 0; i < 1_000; i++) {
      String expected = "q" + i;
      change(deque -> assertThat(text(deque.edge(FIRST))).isEqualTo(expected));
      change(deque -> deque.remove(deque.edge(FIRST)));
      change(deque -> deque.add(FIRST, bytes("top"), Expiry.NEVER));
      change(deque -> deque.remove(deque.edge(FIRST)));
      change(deque -> deque.add(LAST, bytes("top"), Expiry.NEVER));
      change(deque -> deque.remove(deque.edge(LAST)));
    }
    change(deque -> assertThat(deque.edge(FIRST)).isNull());
    change(deque -> assertThat(deque.edge(LAST)).isNull());
    assertThat(row.scans).isZero();
  }

  @Test
  void anIndexIsReckonedWhereThereAreNoHoles() {
    for (int i = 0; i < 1_000; i++) {
      add("q" + i);
    }
    change(deque -> deque.removeEdge(FIRST, deque.edge(FIRST)));
    change(deque -> assertThat(text(deque.at(777))).isEqualTo("q778"));
    assertThat(row.scans).isZero();
    change(deque -> deque.remove(deque.at(500)));
    change(deque -> assertThat(text(deque.at(777))).isEqualTo("q779"));
    assertThat(row.scans).isEqualTo(1);
  }

  @Test
  void aWindowOfNeighboursMovesWhereThereIsNoRoom() {
    int inserted = 20_000;
    List<String> model = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      add("q" + i);
      model.add("q" + i);
    }
    for (int i = 0; i < inserted; i++) {
      // Always right behind the first half, whose gap is halved each time.
      insert(500, "i" + i);
    }
    List<String> atPlace =
        IntStream.range(0, inserted).mapToObj(i -> "i" + (inserted - 1 - i)).toList();
    model.addAll(500, atPlace);
    assertThat(contents()).isEqualTo(model);
    assertThat(row.count()).isEqualTo(model.size());
    assertThat((row.puts - 1_000) / (double) inserted).as("puts for each insertion").isLessThan(25);
    for (int i = 0; i < model.size(); i++) {
      int index = i;
      change(deque -> assertThat(text(deque.edge(FIRST))).isEqualTo(model.get(index)));
      change(deque -> deque.remove(deque.edge(FIRST)));
    }
    assertThat(row.count()).isZero();
    add("last");
    assertThat(new DequeRow(row).ends().offGrid()).isZero();
  }

  @Test
  void anEndHasAllTheRoomBeyondIt() {
    add("a");
    add("z");
    for (int i = 0; i < 5_000; i++) {
      insert(1, "b" + i);
    }
    assertThat(row.puts / 5_000.0).as("puts for each insertion in front").isLessThan(25);
    row.puts = 0;
    for (int i = 0; i < 5_000; i++) {
      insert(row.count() - 1, "y" + i);
    }
    assertThat(row.puts / 5_000.0).as("puts for each insertion behind").isLessThan(5);
    List<String> contents = contents();
    assertThat(contents).hasSize(10_002).startsWith("a", "b4999").endsWith("y4998", "y4999", "z");
  }

  @Test
  void removalLeavesRoomOnTheGrid() {
    for (int i = 0; i < 3; i++) {
      add("q" + i);
    }
    change(deque -> deque.remove(deque.at(1)));
    insert(1, "new");
    assertThat(contents()).containsExactly("q0", "new", "q2");
    assertThat(new DequeRow(row).ends().offGrid()).isZero();
  }

  @Test
  void positionsEndSomewhere() {
    long last = PositionFormat.MAX_POSITION;
    row.put(DequeRow.ENDS_KEY, new DequeEnds(last, last, 0, Expiry.NEVER).encode(), Expiry.NEVER);
    add("fits");
    assertThatThrownBy(() -> add("does not"))
        .isInstanceOf(LimitExceededException.class)
        .hasMessageContaining("position");
    change(deque -> deque.add(FIRST, bytes("before"), Expiry.NEVER));
    assertThat(contents()).containsExactly("before", "fits");
  }
}
