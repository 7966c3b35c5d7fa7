package io.rockpool.internal.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import io.rockpool.Rockpool;
import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.TestKeys;
import io.rockpool.internal.encryption.KeyCipher.Use;
import io.rockpool.internal.encryption.RecordCipher.RejectedException;
import io.rockpool.testing.MaySkip;
import io.rockpool.testing.NotEncrypted;
import io.rockpool.testing.Slow;
import java.nio.file.Path;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.crypto.Cipher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bytes are the same with a faster provider of AES, and either reads those of the other. */
@Slow
@Timeout(120)
@NotEncrypted("encrypts its stores with and without keys")
final class OtherProviderTest {
  private static final Provider OTHER = AmazonCorrettoCryptoProvider.INSTANCE;
  private static final Encryption HIDING = TestKeys.all().hidingKeys("hidden");

  private static final byte[] NO_BYTES = {};

  @TempDir Path directory;

  /** Runs in a new thread, as threads keep the ciphers that they have. */
  private static <T> T inNewThread(Callable<T> work) throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      return thread.submit(work).get();
    } finally {
      thread.shutdownNow();
    }
  }

  private static <T> T withOther(Callable<T> work) throws Exception {
    assumeThat(AmazonCorrettoCryptoProvider.INSTANCE.getLoadingError()).isNull();
    assertThat(Security.insertProviderAt(OTHER, 1)).isEqualTo(1);
    try {
      return inNewThread(
          () -> {
            assertThat(Cipher.getInstance("AES/GCM/NoPadding").getProvider()).isEqualTo(OTHER);
            return work.call();
          });
    } finally {
      Security.removeProvider(OTHER.getName());
    }
  }

  /** Values that are compressed and that are not. */
  private static List<byte[]> values() {
    List<byte[]> values = new ArrayList<>();
    for (int length : new int[] {0, 1, 15, 16, 17, 100, 511, 512, 5_000, 70_000, 300_000}) {
      byte[] value = new byte[length];
      values.add(value.clone());
      new Random(length).nextBytes(value);
      values.add(value);
    }
    return values;
  }

  private static List<byte[]> seal(SpaceKeys keys) {
    return values().stream()
        .map(value -> RecordCipher.ofThread().seal(keys, row(value), NO_BYTES, value, 1, false))
        .toList();
  }

  private static byte[] row(byte[] value) {
    return new byte[value.length % 40];
  }

  /** Returns how many were right; changed ones are refused. */
  private static int open(SpaceKeys keys, List<byte[]> sealed) throws RejectedException {
    List<byte[]> values = values();
    for (int i = 0; i < values.size(); i++) {
      byte[] row = row(values.get(i));
      byte[] bytes = sealed.get(i);
      RecordCipher cipher = RecordCipher.ofThread();
      assertThat(cipher.open(keys, row, NO_BYTES, bytes, 1)).isEqualTo(values.get(i));
      byte[] changed = bytes.clone();
      changed[changed.length - 1] ^= 1;
      assertThatThrownBy(() -> cipher.open(keys, row, NO_BYTES, changed, 1))
          .isInstanceOf(RejectedException.class);
      assertThatThrownBy(() -> cipher.open(keys, row, NO_BYTES, bytes, 2))
          .isInstanceOf(RejectedException.class);
    }
    return values.size();
  }

  @Test
  @MaySkip("the provider has native code for one platform")
  void theBytesAreThoseOfTheFormat() throws Exception {
    withOther(
        () -> {
          new RecordCipherTest().theBytesAreThoseOfTheFormat();
          new RecordCipherTest().aValueIsReadAsItWas();
          new KeyCipherTest().theBytesAreThoseOfTheFormat();
          return null;
        });
  }

  @Test
  @MaySkip("the provider has native code for one platform")
  void eachReadsWhatTheOtherEncrypted() throws Exception {
    SpaceKeys keys = new SpaceKeys("id", List.of(RecordCipherTest.key(7)), null);
    KeyCipher names = new KeyCipher(new byte[DataKey.BYTES]);
    byte[] wrapped = KeyWrap.wrap(new byte[32], "id", "1", new byte[32]);
    List<byte[]> sealed = inNewThread(() -> seal(keys));
    byte[] hidden = inNewThread(() -> names.hide(Use.HASH_KEY, new byte[10]));
    List<byte[]> others =
        withOther(
            () -> {
              assertThat(open(keys, sealed)).isEqualTo(sealed.size());
              assertThat(names.hide(Use.HASH_KEY, new byte[10])).isEqualTo(hidden);
              assertThat(names.show(Use.HASH_KEY, hidden)).isEqualTo(new byte[10]);
              assertThat(KeyWrap.unwrap(new byte[32], "id", "1", wrapped)).isEqualTo(new byte[32]);
              return seal(keys);
            });
    assertThat(inNewThread(() -> open(keys, others))).isEqualTo(others.size());
  }

  private int fill(int from) {
    try (Rockpool pool = Rockpool.at(directory).encryption(HIDING).open()) {
      for (String name : List.of("values", "hidden")) {
        var map = pool.map(name, String.class, String.class);
        for (int i = 0; i < from; i++) {
          assertThat(map.get("key " + i)).isEqualTo("value " + i);
        }
        for (int i = from; i < from + 300; i++) {
          map.put("key " + i, "value " + i);
        }
        assertThat(map.keySet()).hasSize(from + 300);
      }
      assertThat(pool.verify().isClean()).as("%s", pool.verify()).isTrue();
      pool.rotateKeys();
      while (pool.state().keyRotation().pendingNames() > 0) {
        Thread.onSpinWait();
      }
    }
    return from + 300;
  }

  @Test
  @MaySkip("the provider has native code for one platform")
  void aStoreIsWrittenWithBothInTurn() throws Exception {
    int written = inNewThread(() -> fill(0));
    int more = withOther(() -> fill(written));
    assertThat(inNewThread(() -> fill(more))).isEqualTo(900);
  }
}
