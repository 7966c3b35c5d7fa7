package io.rockpool.internal.encryption;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.engine.Limits;
import io.rockpool.engine.SortRange;
import io.rockpool.error.LimitExceededException;
import io.rockpool.internal.encryption.KeyCipher.Use;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The bytes of encrypted keys; see FORMAT.md. */
final class KeyCipherTest {
  private final KeyCipher cipher = new KeyCipher(secret());

  /** The bytes 0, 1, 2, … */
  private static byte[] secret() {
    byte[] secret = new byte[DataKey.BYTES];
    for (int i = 0; i < secret.length; i++) {
      secret[i] = (byte) i;
    }
    return secret;
  }

  private String hidden(Use use, String key) {
    return HexFormat.of().formatHex(cipher.hide(use, key.getBytes(US_ASCII)));
  }

  /** They were computed by another implementation. */
  @Test
  void theBytesAreThoseOfTheFormat() {
    assertThat(hidden(Use.HASH_KEY, "")).isEqualTo("00fdf59f2d439b0fba587d4920ee149f");
    assertThat(hidden(Use.HASH_KEY, "key")).isEqualTo("99ec86172dbd5bc235c6fd536eafafe354ddd2");
    assertThat(hidden(Use.SORT_KEY, "key")).isEqualTo("1c597a3a1c2255257fd102b684634106f87dfa");
    assertThat(hidden(Use.SORT_KEY, "a key of more than 32 bytes, so three blocks"))
        .isEqualTo(
            "140e0350b40f394176b2f0ed418abbec744f1aa909417c3842834a79e96b6fc3"
                + "cd15918f8b8445814a5d84b8ffc3a22d1db96ba7938dec3018adb365");
  }

  @Test
  void eachKeyIsReadAsItWasAndNoChangedOne() {
    Random random = new Random(1);
    for (int length : new int[] {0, 1, 15, 16, 17, 200, 60_000}) {
      byte[] key = new byte[length];
      random.nextBytes(key);
      for (Use use : Use.values()) {
        byte[] hidden = cipher.hide(use, key);
        assertThat(cipher.show(use, hidden)).isEqualTo(key);
        for (int i = 0; i < 64; i++) {
          byte[] flipped = hidden.clone();
          flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
          assertThat(cipher.show(use, flipped)).isNull();
        }
      }
      assertThat(cipher.show(Use.SORT_KEY, cipher.hide(Use.HASH_KEY, key))).isNull();
      assertThat(new KeyCipher(KeyWrap.newKey()).show(Use.HASH_KEY, cipher.hide(Use.HASH_KEY, key)))
          .isNull();
    }
    assertThat(cipher.show(Use.HASH_KEY, new byte[15])).isNull();
  }

  /** Two ciphers used in turn by several threads do not mix their keys. */
  @Test
  void threadsAndCiphersAreIndependent() {
    KeyCipher other = new KeyCipher(KeyWrap.newKey());
    Set<String> seen = new HashSet<>();
    IntStream.range(0, 2_000)
        .parallel()
        .forEach(
            i -> {
              byte[] key = ("key " + i).getBytes(US_ASCII);
              byte[] one = cipher.hide(Use.HASH_KEY, key);
              byte[] two = other.hide(Use.HASH_KEY, key);
              assertThat(cipher.show(Use.HASH_KEY, one)).isEqualTo(key);
              assertThat(other.show(Use.HASH_KEY, two)).isEqualTo(key);
              assertThat(cipher.show(Use.HASH_KEY, two)).isNull();
              synchronized (seen) {
                seen.add(HexFormat.of().formatHex(one));
                seen.add(HexFormat.of().formatHex(two));
              }
            });
    assertThat(seen).hasSize(4_000);
  }

  @Test
  void limitsAndRanges() {
    HiddenKeys hidden = new HiddenKeys(KeyHiding.SORT, cipher);
    byte[] longest = new byte[Limits.MAX_SORT_KEY_BYTES - KeyCipher.OVERHEAD_BYTES];
    assertThat(hidden.sort(longest)).hasSize(Limits.MAX_SORT_KEY_BYTES);
    assertThatThrownBy(() -> hidden.sort(new byte[longest.length + 1]))
        .isInstanceOf(LimitExceededException.class)
        .hasMessageContaining("that are encrypted");
    assertThat(hidden.hash(new byte[] {3})).containsExactly(3);
    byte[] key = {1};
    assertThat(hidden.range(SortRange.all()).from()).isEmpty();
    SortRange after = hidden.range(SortRange.all().from(key, false));
    assertThat(after.contains(hidden.sort(key))).isFalse();
    assertThat(hidden.range(SortRange.all().from(key, true)).contains(hidden.sort(key))).isTrue();
    assertThatThrownBy(() -> hidden.range(SortRange.prefix(key)))
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
