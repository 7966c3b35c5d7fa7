package io.rockpool.internal.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.rockpool.backup.BackedUpName;
import io.rockpool.backup.BackupInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ManifestTest {
  private static final String NONE =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  private static Manifest manifest(List<BackedUpName> names, List<StoredFile> files) {
    return new Manifest(
        new BackupInfo(
            7,
            Instant.ofEpochMilli(1_700_000_000_123L),
            "/var/lib/shop",
            1,
            4_711,
            files.size(),
            files.stream().mapToLong(StoredFile::bytes).sum(),
            0,
            names),
        "5c4c7a5e-0b5c-4d1f-9d0a-1f2e3d4c5b6a",
        "0123456789abcdef",
        Instant.ofEpochMilli(1_700_000_000_456L),
        files);
  }

  private static Manifest example() {
    return manifest(
        List.of(
            new BackedUpName("shop/orders", "cache", OptionalLong.empty()),
            new BackedUpName("shop/stöck", "map", OptionalLong.of(2))),
        List.of(
            new StoredFile("caches-only", 0, NONE, ""),
            new StoredFile("db/000012.sst", 0, NONE, "1700000000000000000 (dev=1,inode=2)")));
  }

  @Test
  void theExampleOfTheFormatPageIsIt() throws IOException {
    Path page = Path.of("").toAbsolutePath().resolveSibling("docs/FORMAT.md");
    assertThat(Files.readString(page)).contains("```json\n" + example().encode() + "```");
  }

  @Test
  void whatIsWrittenIsRead() {
    assertThat(Manifest.decode(example().encode())).isEqualTo(example());
    Manifest empty = manifest(List.of(), List.of());
    assertThat(Manifest.decode(empty.encode())).isEqualTo(empty);
    StringBuilder every = new StringBuilder();
    for (int c = 0; c <= Character.MAX_VALUE; c++) {
      every.append((char) c);
    }
    Manifest odd =
        manifest(
            List.of(new BackedUpName(every.toString(), "\"\\", OptionalLong.of(Long.MIN_VALUE))),
            List.of());
    assertThat(Manifest.decode(odd.encode())).isEqualTo(odd);
  }

  @Test
  void jsonOfOthersIsRead() {
    assertThat(JsonReader.read(" { \"a\\n\\u0041\\/\" : [ ] ,\r\n\t\"b\" : { } } "))
        .isEqualTo(Map.of("a\nA/", List.of(), "b", Map.of()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{",
        "{\"a\":1",
        "{\"a\":1}}",
        "{\"a\":1,}",
        "{\"a\":1,\"a\":2}",
        "{\"a\":1.5}",
        "{\"a\":true}",
        "{\"a\":null}",
        "{\"a\":-}",
        "{\"a\":99999999999999999999}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u12\"}",
        "{\"a\":\"b}",
        "{a:1}",
        "{\"a\" 1}",
        "{\"a\":[[[[[[[[[[[[[]]]]]]]]]]]]]}",
      })
  void otherTextIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> JsonReader.read(text));
    assertThatIllegalArgumentException().isThrownBy(() -> Manifest.decode(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../passwd",
        "/etc/passwd",
        "db/../../x",
        "db/",
        "",
        ".",
        "..",
        "a/b/c",
        "db\\\\x",
        "C:x",
        ".x",
        "db/.x"
      })
  void aPathThatLeavesTheStoreIsRefused(String path) {
    String text = example().encode().replace("db/000012.sst", path);
    assertThatIllegalArgumentException().isThrownBy(() -> Manifest.decode(text));
  }

  @Test
  void damagedTextIsReadOrRefused() {
    Random random = new Random(1);
    String text = example().encode();
    for (int i = 0; i < 20_000; i++) {
      StringBuilder damaged = new StringBuilder(text);
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        int at = random.nextInt(damaged.length());
        switch (random.nextInt(3)) {
          case 0 -> damaged.setCharAt(at, (char) (damaged.charAt(at) ^ 1 << random.nextInt(7)));
          case 1 -> damaged.deleteCharAt(at);
          default -> damaged.insert(at, text.charAt(random.nextInt(text.length())));
        }
      }
      try {
        assertThat(Manifest.decode(damaged.toString())).isNotNull();
      } catch (IllegalArgumentException | ArithmeticException refused) {
        assertThat(refused).hasMessageNotContaining("null");
      }
    }
  }
}
