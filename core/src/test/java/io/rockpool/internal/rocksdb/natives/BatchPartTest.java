package io.rockpool.internal.rocksdb.natives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rockpool.error.CorruptStoreException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Some of the changes of a batch. */
final class BatchPartTest {
  private static final int[] FAMILIES = {0, 1, 2, 300, 4, 5};

  private static byte[] batch(int from, int to) {
    Batch batch = new Batch(FAMILIES, 100);
    for (int change = from; change < to; change++) {
      byte[] key = new byte[] {(byte) change, 1, 2, 3, 4, 5, 6, 7};
      switch (change % 4) {
        case 0 -> batch.put(ColumnFamily.ROWS, key, new byte[200]);
        case 1 -> batch.delete(ColumnFamily.ENTRIES, key);
        case 2 -> batch.addToCount(key, change);
        default -> batch.deleteRange(ColumnFamily.ROWS, key, new byte[] {127});
      }
    }
    return batch.toBytes();
  }

  @Test
  void eachPartHasItsChanges() {
    byte[] all = batch(0, 12);
    for (int from = 0; from <= 12; from++) {
      for (int to = from; to <= 12; to++) {
        assertThat(BatchFormat.part(all, from, to - from)).isEqualTo(batch(from, to));
      }
    }
  }

  @Test
  void aMalformedBatchIsRefused() {
    byte[] all = batch(0, 4);
    for (int length = 0; length < all.length; length++) {
      byte[] cut = Arrays.copyOf(all, length);
      assertThatExceptionOfType(CorruptStoreException.class)
          .isThrownBy(() -> BatchFormat.part(cut, 0, 4));
    }
    byte[] unknown = all.clone();
    unknown[BatchFormat.HEADER_BYTES] = 99;
    assertThatExceptionOfType(CorruptStoreException.class)
        .isThrownBy(() -> BatchFormat.part(unknown, 1, 1));
  }
}
