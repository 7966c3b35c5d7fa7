package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KeySortTest {
  static LongStream seeds() {
    return Seeds.all();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void sortsByUnsignedBytesAndKeepsTheOrderOfEqualKeys(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      byte[] prefix = bytes(random, random.nextInt(20));
      // Few values of each byte, and short: so many are equal, or the beginning of another.
      int values = 1 + random.nextInt(3);
      int longest = 1 + random.nextInt(14);
      List<byte[]> keys = new ArrayList<>();
      for (int i = random.nextInt(200); i > 0; i--) {
        keys.add(key(random, prefix, values, longest));
      }
      List<byte[]> expected = new ArrayList<>(keys);
      expected.sort(Arrays::compareUnsigned);
      KeySort.sort(keys, key -> key);
      // The very same arrays, so equal ones are where they were among each other.
      assertThat(keys).as("seed %d", seed).hasSameSizeAs(expected);
      for (int i = 0; i < keys.size(); i++) {
        assertThat(keys.get(i)).as("seed %d", seed).isSameAs(expected.get(i));
      }
    }
  }

  private static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] key(Random random, byte[] prefix, int values, int longest) {
    int length = random.nextInt(longest);
    byte[] key = Arrays.copyOf(prefix, prefix.length + length);
    for (int i = prefix.length; i < key.length; i++) {
      key[i] = (byte) (random.nextInt(values) * 0x7F);
    }
    return key;
  }

  @Test
  void theEmptyKeyComesFirst() {
    List<byte[]> keys = new ArrayList<>(List.of(new byte[] {0}, new byte[0], new byte[] {-1}));
    KeySort.sort(keys, key -> key);
    assertThat(keys).containsExactly(new byte[0], new byte[] {0}, new byte[] {-1});
  }
}
