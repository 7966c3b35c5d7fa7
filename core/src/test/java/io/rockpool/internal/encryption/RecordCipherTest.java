package io.rockpool.internal.encryption;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.engine.Expiry;
import io.rockpool.internal.encryption.RecordCipher.RejectedException;
import io.rockpool.internal.format.SealedValueFormat;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** The bytes of encrypted values; see FORMAT.md. */
final class RecordCipherTest {
  private static final byte[] ROW = "row".getBytes(US_ASCII);
  private static final byte[] COLUMN = "column".getBytes(US_ASCII);
  private static final byte[] VALUE = "a value".getBytes(US_ASCII);

  private final RecordCipher cipher = RecordCipher.ofThread();
  private final SpaceKeys keys = keys();

  private static SpaceKeys keys() {
    return new SpaceKeys("id", List.of(key(7)), null);
  }

  /** A key of the bytes 0, 1, 2, … */
  static DataKey key(int number) {
    byte[] secret = new byte[DataKey.BYTES];
    for (int i = 0; i < secret.length; i++) {
      secret[i] = (byte) i;
    }
    return new DataKey(number, 0, secret);
  }

  private static byte[] golden(int counter, boolean counted, long expiryMillis) {
    WriteEpoch epoch = new WriteEpoch(key(7), "twelve bytes".getBytes(US_ASCII));
    return RecordCipher.ofThread().seal(epoch, counter, ROW, COLUMN, VALUE, expiryMillis, counted);
  }

  @Test
  void theBytesAreThoseOfTheFormat() {
    assertThat(HexFormat.of().formatHex(golden(5, false, Expiry.NEVER)))
        .isEqualTo(
            "10077477656c766520627974657300000005a6b881cdc3d1554e6297c589c7e3c81f957ee5864bf85a");
    assertThat(HexFormat.of().formatHex(golden(6, true, 1_000)))
        .isEqualTo(
            "12077477656c7665206279746573000000066e506bc6f6cf9077711b46c07f059dafdb67025c2956a5");
  }

  @Test
  void aValueIsReadAsItWas() throws RejectedException {
    for (int length : new int[] {0, 1, 100, 511, 512, 513, 5_000, 70_000, 300_000}) {
      byte[] text = new byte[length];
      byte[] noise = new byte[length];
      Arrays.fill(text, (byte) 'x');
      new Random(length).nextBytes(noise);
      for (byte[] value : List.of(text, noise)) {
        byte[] sealed = cipher.seal(keys, ROW, COLUMN, value, 1, false);
        assertThat(cipher.open(keys, ROW, COLUMN, sealed, 1)).isEqualTo(value);
        byte[] read =
            cipher.read(
                keys,
                ROW,
                COLUMN,
                sealed,
                0,
                sealed.length,
                1,
                (bytes, offset, size, expiry) -> Arrays.copyOfRange(bytes, offset, offset + size));
        assertThat(read).isEqualTo(value);
      }
      byte[] sealed = cipher.seal(keys, ROW, COLUMN, noise, 1, false);
      assertThat(sealed).hasSize(length + SealedValueFormat.OVERHEAD_BYTES);
    }
    assertThat(cipher.seal(keys, ROW, COLUMN, new byte[100_000], 1, false)).hasSizeLessThan(2_000);
  }

  @Test
  void aReaderMayDecodeWithAnotherStore() throws RejectedException {
    byte[] outer = cipher.seal(keys, ROW, COLUMN, VALUE, 1, false);
    String read =
        cipher.read(
            keys,
            ROW,
            COLUMN,
            outer,
            0,
            outer.length,
            1,
            (bytes, offset, length, expiry) -> {
              byte[] inner = cipher.seal(keys, ROW, COLUMN, new byte[600], 1, false);
              assertThat(open(inner)).isEqualTo(new byte[600]);
              return new String(bytes, offset, length, US_ASCII);
            });
    assertThat(read).isEqualTo("a value");
  }

  private byte[] open(byte[] sealed) {
    try {
      return cipher.open(keys, ROW, COLUMN, sealed, 1);
    } catch (RejectedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void everyFlippedBitIsRejected() {
    byte[] sealed = cipher.seal(keys, ROW, COLUMN, VALUE, 1, false);
    for (int bit = 0; bit < 8 * sealed.length; bit++) {
      byte[] flipped = sealed.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> cipher.open(keys, ROW, COLUMN, flipped, 1))
          .as("bit %d", bit)
          .isInstanceOf(RejectedException.class);
    }
    for (int length = 0; length < sealed.length; length++) {
      byte[] cut = Arrays.copyOf(sealed, length);
      assertThatThrownBy(() -> cipher.open(keys, ROW, COLUMN, cut, 1))
          .isInstanceOf(RejectedException.class);
    }
  }

  @Test
  void aValueBelongsToItsRecord() {
    byte[] sealed = cipher.seal(keys, ROW, COLUMN, VALUE, 1, false);
    assertRejected(sealed, "row2", "column", 1);
    assertRejected(sealed, "row", "column2", 1);
    assertRejected(sealed, "rowc", "olumn", 1);
    assertRejected(sealed, "row", "column", 2);
    SpaceKeys others = new SpaceKeys("id", List.of(new DataKey(7, 0, KeyWrap.newKey())), null);
    assertThatThrownBy(() -> cipher.open(others, ROW, COLUMN, sealed, 1))
        .isInstanceOf(RejectedException.class);
  }

  private void assertRejected(byte[] sealed, String row, String column, long expiryMillis) {
    byte[] hashKey = row.getBytes(US_ASCII);
    byte[] sortKey = column.getBytes(US_ASCII);
    assertThatThrownBy(() -> cipher.open(keys, hashKey, sortKey, sealed, expiryMillis))
        .isInstanceOf(RejectedException.class);
  }

  @Test
  void noEpochAndCounterRepeat() throws InterruptedException {
    Set<String> used = ConcurrentHashMap.newKeySet();
    for (int opening = 0; opening < 50; opening++) {
      SpaceKeys opened = keys();
      Runnable writes =
          () -> {
            for (int i = 0; i < 500; i++) {
              byte[] sealed = RecordCipher.ofThread().seal(opened, ROW, COLUMN, VALUE, 1, false);
              String nonce =
                  HexFormat.of()
                      .formatHex(sealed, SealedValueFormat.KEY_AT, SealedValueFormat.HEADER_BYTES);
              assertThat(used.add(nonce)).isTrue();
            }
          };
      Thread another = new Thread(writes);
      another.start();
      writes.run();
      another.join();
    }
    assertThat(used).hasSize(50 * 2 * 500);
  }

  @Test
  void anEpochWithoutCountersIsReplaced() {
    WriteEpoch first = keys.epoch();
    assertThat(keys.nextEpoch(first)).isNotSameAs(first).isSameAs(keys.epoch());
    assertThat(keys.nextEpoch(first)).isSameAs(keys.epoch());
    Set<String> ids = new HashSet<>();
    ids.add(HexFormat.of().formatHex(first.id()));
    assertThat(ids.add(HexFormat.of().formatHex(keys.epoch().id()))).isTrue();
  }
}
