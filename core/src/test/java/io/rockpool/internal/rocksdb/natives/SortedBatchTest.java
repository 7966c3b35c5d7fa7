package io.rockpool.internal.rocksdb.natives;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.internal.bytes.Leb128;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class SortedBatchTest {
  /** A change of a key; deletes have no value. */
  private record Change(String key, String value) {
    void write(ByteArrayOutputStream to) {
      to.write(value == null ? BatchFormat.DELETE : BatchFormat.PUT);
      to.write(3);
      write(to, key);
      if (value != null) {
        write(to, value);
      }
    }

    private static void write(ByteArrayOutputStream to, String text) {
      byte[] length = new byte[Leb128.MAX_INT_BYTES];
      to.write(length, 0, Leb128.put(length, 0, text.length()));
      to.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }
  }

  private static byte[] bytes(List<Change> changes) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    changes.forEach(change -> change.write(bytes));
    return bytes.toByteArray();
  }

  private static byte[] sorted(List<Change> changes) {
    byte[] bytes = bytes(changes);
    byte[] among = new byte[bytes.length + 7];
    System.arraycopy(bytes, 0, among, 3, bytes.length);
    return SortedBatch.of(among, 3, 3 + bytes.length, changes.size());
  }

  /** Keys that differ in the first bytes after their common ones; also empty ones and prefixes. */
  @ParameterizedTest
  @MethodSource("io.rockpool.testing.Seeds#all")
  void keysAreInOrderAndChangesOfAKeyInTheirs(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      String common = "c".repeat(random.nextInt(20));
      List<Change> changes = new ArrayList<>();
      int count = 1 + random.nextInt(300);
      for (int i = 0; i < count; i++) {
        String key = Integer.toString(random.nextInt(100_000), 2 + random.nextInt(30));
        String own = key.substring(0, Math.min(6, random.nextInt(key.length() + 1)));
        changes.add(new Change(common + own, random.nextInt(5) == 0 ? null : "value " + i));
      }
      List<Change> expected = new ArrayList<>(changes);
      expected.sort(Comparator.comparing(Change::key)); // which is stable
      assertThat(sorted(changes)).isEqualTo(BatchFormat.encode(count, bytes(expected)));
    }
  }

  /** Only some bytes are compared: changes keep their order where these are equal. */
  @Test
  void keysWithEqualBeginningsKeepTheirOrder() {
    List<Change> changes =
        List.of(
            new Change("b1", "1"),
            new Change("a-123456-2", "2"),
            new Change("a-123456-1", null),
            new Change("a-123456-2", null),
            new Change("\u00ff", "3"));
    List<Change> expected =
        List.of(changes.get(1), changes.get(2), changes.get(3), changes.get(0), changes.get(4));
    assertThat(sorted(changes)).isEqualTo(BatchFormat.encode(5, bytes(expected)));
  }

  @Test
  void aBatchOfTooManyChangesStaysAsItIs() {
    Change[] changes = new Change[SortedBatch.MAX_CHANGES + 1];
    Arrays.setAll(changes, i -> new Change("key " + -i, null));
    List<Change> all = List.of(changes);
    assertThat(sorted(all)).isEqualTo(BatchFormat.encode(changes.length, bytes(all)));
    List<Change> fewer = all.subList(1, changes.length);
    assertThat(sorted(fewer)).isNotEqualTo(BatchFormat.encode(fewer.size(), bytes(fewer)));
  }
}
