package io.rockpool.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.EncryptionKeyException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options that contradict each other, and files of master keys that are not what they seem. */
final class EncryptionOptionsTest {
  @TempDir Path directory;

  @Test
  void levelsThatHaveNoEffectAreRefused() {
    Encryption all = TestKeys.all();
    List<Supplier<Encryption>> without =
        List.of(
            () -> all.hidingKeys("a").except("a"),
            () -> all.except("a").hidingKeys("a"),
            () -> all.except("a").hidingKeys("a/b"),
            () -> all.except("a").hidingKeys("b", "a"),
            () -> all.except("").hidingKeys("a"),
            () -> all.only("b").hidingKeys("a"),
            () -> all.only("a/b").hidingKeys("a/c"),
            () -> all.only("a").except("a").hidingKeys("a"));
    for (int each = 0; each < without.size(); each++) {
      assertThatThrownBy(without.get(each)::get)
          .as("combination %s", each)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("hidingKeys");
    }
  }

  @Test
  void levelsThatHaveSomeEffectAreNot() {
    Encryption all = TestKeys.all();
    assertThat(all.except("a").hidingKeys("").hidesKeys("b")).isTrue();
    assertThat(all.except("a/b").hidingKeys("a").hidesKeys("a/c")).isTrue();
    assertThat(all.only("a/b").hidingKeys("a").hidesKeys("a/b")).isTrue();
    assertThat(all.only("a").hidingKeys("a/b").hidesKeys("a/b")).isTrue();
    assertThat(all.only("a").hidingKeys("").hidesKeys("b")).isFalse();
    assertThat(all.except("").covers("a")).isFalse();
  }

  @Test
  void aFileWithAByteOrderMarkSaysSo() throws IOException {
    Path file = directory.resolve("keys");
    Files.writeString(file, "\uFEFF" + KeyProviders.newKey("2026"));
    assertThatThrownBy(() -> KeyProviders.file(file))
        .isInstanceOf(EncryptionKeyException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("byte order mark");
  }

  @Test
  void anIdTwiceSaysSo() throws IOException {
    Path file = directory.resolve("keys");
    String first = KeyProviders.newKey("2026");
    Files.write(file, List.of(first, KeyProviders.newKey("2027"), KeyProviders.newKey("2026")));
    assertThatThrownBy(() -> KeyProviders.file(file))
        .isInstanceOf(EncryptionKeyException.class)
        .hasMessageContaining("\"2026\" twice")
        .hasMessageNotContaining(first.split(" ", -1)[1]);
  }
}
