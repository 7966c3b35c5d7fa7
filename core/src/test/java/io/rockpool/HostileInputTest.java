package io.rockpool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.internal.logging.ShownKey;
import io.rockpool.structure.Check;
import io.rockpool.structure.PersistentSortedMap;
import io.rockpool.structure.PersistentTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Names, keys and values that someone else has chosen. */
@Timeout(60)
final class HostileInputTest {
  private static final String SECRET = "4556-7375-8689-9855-" + "secret-".repeat(10);

  @TempDir Path parent;

  private Set<String> filesOutside(Path store) throws IOException {
    try (Stream<Path> files = Files.walk(parent)) {
      return files
          .filter(file -> !file.startsWith(store))
          .map(file -> parent.relativize(file).toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void namesNeverBecomePaths() throws IOException {
    Path store = parent.resolve("a/b/store");
    Files.createDirectories(store.getParent());
    Set<String> before = filesOutside(store);
    List<String> names =
        List.of("..", "../../x", "a/../../../x", "C:\\x", "~", "$(touch x)", "%2e%2e", "ROCKPOOL");
    try (Rockpool pool = Rockpool.open(store)) {
      for (String name : names) {
        pool.map(name, String.class, String.class).put("k", name);
        pool.cache("caches/" + name, String.class, String.class).put("k", name);
      }
      for (String name : List.of("/etc/x", "x/", "a//b", "", "a\u0000b", "a\nb", "\u001b[2J")) {
        assertThatThrownBy(() -> pool.set(name, String.class))
            .isInstanceOf(IllegalArgumentException.class);
      }
      assertThat(pool.names().list("")).hasSize(2 * names.size());
      assertThat(pool.verify().isClean()).isTrue();
    }
    try (Rockpool pool = Rockpool.open(store)) {
      for (String name : names) {
        assertThat(pool.map(name, String.class, String.class).get("k")).isEqualTo(name);
      }
      assertThat(pool.names().dropLevel("..")).isEqualTo(2);
      pool.names().dropAll();
    }
    assertThat(filesOutside(store)).isEqualTo(before);
    try (Stream<Path> files = Files.list(store)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("ROCKPOOL", "lock", "recovery", "journal", "clock", "db");
    }
  }

  private static void assertKeepsSecret(Throwable e) {
    assertThat(e).isNotNull();
    StringWriter text = new StringWriter();
    e.printStackTrace(new PrintWriter(text));
    assertThat(text.toString()).doesNotContain(SECRET.substring(0, 25));
  }

  @Test
  void messagesShowNoValueAndLittleOfAKey() {
    Codecs codecs = Codecs.defaults();
    for (TypeRef<?> type :
        List.<TypeRef<?>>of(
            TypeRef.of(URI.class),
            TypeRef.of(ZoneId.class),
            TypeRef.of(TimeUnit.class),
            TypeRef.of(Long.class),
            new TypeRef<List<String>>() {})) {
      Codec<?> codec = codecs.codecFor(type);
      byte[] bytes = (" " + SECRET).getBytes(UTF_8);
      assertKeepsSecret(catchThrowable(() -> codec.decode(bytes, 0, bytes.length)));
    }
    try (Rockpool pool = Rockpool.open(parent.resolve("store"))) {
      PersistentSortedMap<String, String> sorted =
          pool.sortedMap("sorted", String.class, String.class);
      assertKeepsSecret(catchThrowable(() -> sorted.headMap("0").put(SECRET, SECRET)));
      PersistentTable<String, String, String> table =
          pool.table("table", String.class, String.class, String.class);
      table.put("row", "key", SECRET);
      assertKeepsSecret(
          catchThrowable(
              () -> table.when("row", "key", Check.numberLessThan(1)).put("key", "other")));
    }
  }

  @Test
  void aKeyIsShownEscapedAndShort() {
    assertThat(ShownKey.of("order-1".getBytes(UTF_8))).isEqualTo("order-1");
    assertThat(ShownKey.of("\u001b[2J\r\n\\".getBytes(UTF_8))).isEqualTo("\\x1b[2J\\x0d\\x0a\\x5c");
    assertThat(ShownKey.of(new byte[0])).isEmpty();
    assertThat(ShownKey.of("x".repeat(24).getBytes(UTF_8))).isEqualTo("x".repeat(24));
    assertThat(ShownKey.of("x".repeat(25).getBytes(UTF_8))).isEqualTo("x".repeat(24) + "…");
    assertThat(ShownKey.of(new byte[] {1}, "k".getBytes(UTF_8))).isEqualTo("\\x01 k");
  }
}
