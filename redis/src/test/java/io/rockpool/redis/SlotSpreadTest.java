package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.Slow;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries are spread over the slots of a cluster, and over its masters, to within a tenth. */
@Slow
final class SlotSpreadTest {
  private static final int KEYS = 1_000_000;

  private static byte[] number(int i) {
    return ByteBuffer.allocate(Long.BYTES).putLong(i).array();
  }

  private static byte[] text(int i) {
    return ("user:" + i + ":profile").getBytes(StandardCharsets.UTF_8);
  }

  private static List<IntFunction<byte[]>> kindsOfKeys() {
    return List.of(SlotSpreadTest::number, SlotSpreadTest::text);
  }

  /** How many of the keys each slot has. */
  private static int[] slots(IntFunction<byte[]> keys) {
    int[] counts = new int[KeyNames.SLOTS];
    for (int i = 0; i < KEYS; i++) {
      counts[KeyNames.slotOfBucket(KeyNames.bucket(keys.apply(i)))]++;
    }
    return counts;
  }

  @Test
  void eachSlotInUseHasItsShare() {
    for (IntFunction<byte[]> keys : kindsOfKeys()) {
      int[] used = Arrays.stream(slots(keys)).filter(count -> count > 0).toArray();
      assertThat(used).hasSize(KeyNames.BUCKETS);
      assertEven(used);
    }
  }

  /** Masters have neighbouring slots, as redis-cli assigns them. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5, 6, 8, 16})
  void eachMasterHasItsShare(int masters) {
    for (IntFunction<byte[]> keys : kindsOfKeys()) {
      int[] counts = slots(keys);
      int[] shares = new int[masters];
      for (int slot = 0; slot < counts.length; slot++) {
        shares[(int) ((long) slot * masters / counts.length)] += counts[slot];
      }
      assertEven(shares);
    }
  }

  private static void assertEven(int[] counts) {
    double mean = (double) KEYS / counts.length;
    assertThat(Arrays.stream(counts).boxed())
        .allMatch(count -> Math.abs(count - mean) <= mean / 10);
  }
}
