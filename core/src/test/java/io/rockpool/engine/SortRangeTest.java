package io.rockpool.engine;

import static io.rockpool.engine.EngineUnderTest.bytes;
import static io.rockpool.engine.EngineUnderTest.prefix;
import static io.rockpool.engine.EngineUnderTest.range;
import static io.rockpool.engine.EngineUnderTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class SortRangeTest {
  private static final SortRange ALL = SortRange.all();

  @Test
  void everythingIsInTheWholeRange() {
    assertThat(ALL.isEmpty()).isFalse();
    assertThat(ALL.from()).isEmpty();
    assertThat(ALL.to()).isNull();
    assertThat(ALL.contains(bytes(""))).isTrue();
    assertThat(ALL.contains(bytes("\377\377"))).isTrue();
  }

  @Test
  void narrowingNeverWidens() {
    SortRange range = range("b", "d");
    assertThat(range.from(bytes("a"), true)).isSameAs(range);
    assertThat(range.to(bytes("e"), true)).isSameAs(range);
    assertThat(range.to(bytes("d"), true).contains(bytes("d"))).isFalse();
    assertThat(range.from(bytes("c"), true).to(bytes("c"), true).contains(bytes("c"))).isTrue();
  }

  @Test
  void theSuccessorOfAPrefix() {
    assertThat(SortRange.successorOfPrefix(bytes(""))).isNull();
    assertThat(SortRange.successorOfPrefix(bytes("\377\377"))).isNull();
    assertThat(SortRange.successorOfPrefix(bytes("a"))).isEqualTo(bytes("b"));
    assertThat(SortRange.successorOfPrefix(bytes("a\377\377"))).isEqualTo(bytes("b"));
    assertThat(SortRange.successorOfPrefix(bytes("\177"))).isEqualTo(bytes("\200"));
    assertThat(prefix("\377").to()).isNull();
  }

  @Test
  void emptyRanges() {
    assertThat(range("b", "b").isEmpty()).isTrue();
    assertThat(range("c", "b").isEmpty()).isTrue();
    assertThat(range("b", "b\0").isEmpty()).isFalse();
    assertThat(ALL.from(bytes("b"), false).to(bytes("b\0"), false).isEmpty()).isTrue();
    assertThat(ALL.to(bytes(""), false).isEmpty()).isTrue();
    assertThat(ALL.to(bytes(""), true).isEmpty()).isFalse();
  }

  /** Bounds and prefixes against what comparing strings of the same bytes says. */
  @Test
  void containsWhatItsBoundsSay() {
    List<String> keys =
        List.of("", "\0", "\0\0", "\0\377", "a", "a\0", "a\377", "\377", "\377\377");
    for (String low : keys) {
      for (String high : keys) {
        for (String key : keys) {
          boolean above = key.compareTo(low) > 0;
          boolean below = key.compareTo(high) < 0;
          assertThat(narrowed(low, true, high, true).contains(bytes(key)))
              .isEqualTo((above || key.equals(low)) && (below || key.equals(high)));
          assertThat(narrowed(low, false, high, false).contains(bytes(key)))
              .isEqualTo(above && below);
          assertThat(prefix(low).contains(bytes(key))).isEqualTo(key.startsWith(low));
        }
      }
    }
  }

  @Test
  void containsTheSameInWhateverOrderItIsNarrowed() {
    Random random = new Random(5);
    for (int i = 0; i < 1_000; i++) {
      String low = randomKey(random);
      String high = randomKey(random);
      String key = randomKey(random);
      boolean inclusive = random.nextBoolean();
      SortRange one = ALL.from(bytes(low), inclusive).to(bytes(high), inclusive);
      SortRange other = ALL.to(bytes(high), inclusive).from(bytes(low), inclusive);
      assertThat(one.contains(bytes(key))).isEqualTo(other.contains(bytes(key)));
      assertThat(one.isEmpty()).isEqualTo(other.isEmpty());
    }
  }

  private static SortRange narrowed(String low, boolean withLow, String high, boolean withHigh) {
    return ALL.from(bytes(low), withLow).to(bytes(high), withHigh);
  }

  private static String randomKey(Random random) {
    byte[] key = new byte[random.nextInt(3)];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (random.nextInt(4) - 2);
    }
    return text(key);
  }
}
