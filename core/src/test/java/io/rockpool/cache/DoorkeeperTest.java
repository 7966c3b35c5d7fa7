package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Keys of a table whose pages come as they are needed. */
final class DoorkeeperTest {
  private static final int KEYS = 50_000;

  private final Doorkeeper doorkeeper = new Doorkeeper(KEYS);

  @Test
  void countsKeysInAndOutFromManyThreads() {
    assertThat(IntStream.range(0, KEYS).anyMatch(doorkeeper::mayBeInside)).isFalse();
    IntStream.range(0, KEYS).parallel().forEach(doorkeeper::enters);
    assertThat(IntStream.range(0, KEYS).allMatch(doorkeeper::mayBeInside)).isTrue();
    IntStream.range(0, KEYS).parallel().filter(key -> key % 2 == 0).forEach(doorkeeper::leaves);
    assertThat(
            IntStream.range(0, KEYS).filter(key -> key % 2 == 1).allMatch(doorkeeper::mayBeInside))
        .isTrue();
    IntStream.range(0, KEYS).parallel().filter(key -> key % 2 == 1).forEach(doorkeeper::leaves);
    assertThat(IntStream.range(0, KEYS).anyMatch(doorkeeper::mayBeInside)).isFalse();
  }

  @Test
  void aSlotThatWasEverFullStaysSo() {
    IntStream.range(0, 300).forEach(i -> doorkeeper.enters(7));
    IntStream.range(0, 300).forEach(i -> doorkeeper.leaves(7));
    assertThat(doorkeeper.mayBeInside(7)).isTrue();
  }

  @Test
  void remembersWhoCameByWithoutLettingThemIn() {
    assertThat(doorkeeper.seen(1)).isFalse();
    assertThat(doorkeeper.seen(1)).isTrue();
    assertThat(doorkeeper.mayBeInside(1)).isFalse();
    doorkeeper.enters(1);
    assertThat(doorkeeper.seen(1)).isTrue();
    assertThat(doorkeeper.mayBeInside(1)).isTrue();
  }
}
