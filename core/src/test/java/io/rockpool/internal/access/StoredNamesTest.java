package io.rockpool.internal.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.SpaceName;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoredNamesTest {
  @ParameterizedTest
  @CsvSource({
    "orders, orders",
    "shop/orders, shop/orders",
    "com.acme.Order#find(int), com.acme.Order#find(int)",
    "'', %",
    "%, %0025",
    "/, %002F",
    "/a, %002Fa",
    "a/, a%002F",
    "a//b, a/%002Fb",
  })
  void aNameIsWrittenAsItIsUnlessItIsRefused(String name, String stored) {
    assertThat(StoredNames.toStore(name)).isEqualTo(stored);
    assertThat(StoredNames.fromStore(stored)).contains(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"100%", "%0", "%00G0", "%0041", "%002f", "a/%002F/b", "%%"})
  void whatNoNameBecomesIsNone(String stored) {
    assertThat(StoredNames.fromStore(stored)).isEmpty();
  }

  @Test
  void anyNameComesBackAndNoTwoAreTheSame() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    char[] letters = {'a', '/', '%', '0', '2', 'F', '\n', '\u0085', '\uD83D', '\uDE00', 'é'};
    Set<String> names = new HashSet<>();
    Set<String> stored = new HashSet<>();
    for (int i = 0; i < 20_000; i++) {
      StringBuilder name = new StringBuilder();
      for (int length = random.nextInt(8); length > 0; length--) {
        name.append(letters[random.nextInt(letters.length)]);
      }
      String inStore = SpaceName.check(StoredNames.toStore(name.toString()));
      assertThat(StoredNames.fromStore(inStore)).as("seed %d", seed).contains(name.toString());
      names.add(name.toString());
      stored.add(inStore);
    }
    assertThat(stored).hasSameSizeAs(names);
  }
}
