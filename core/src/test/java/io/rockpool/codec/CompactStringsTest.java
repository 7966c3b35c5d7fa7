package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.error.RockpoolException;
import io.rockpool.testing.Child;
import io.rockpool.testing.MaySkip;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Strings within values, on a JVM that keeps them otherwise than the one that wrote them. */
final class CompactStringsTest {
  record Note(String text) {}

  private static final int FIRST_THAT_DENIES = 24;

  @TempDir Path directory;

  /** Reads what was written, and writes another. */
  static final class Reader {
    private Reader() {}

    public static void main(String[] arguments) {
      try (Rockpool pool = Rockpool.open(Path.of(arguments[0]))) {
        var notes = pool.map("notes", String.class, Note.class);
        var texts = pool.map("texts", String.class, String.class);
        System.out.println(texts.get("k"));
        for (Runnable step :
            List.<Runnable>of(
                () -> System.out.println(notes.get("k")),
                () -> notes.put("other", new Note("abc")))) {
          try {
            step.run();
          } catch (RockpoolException e) {
            System.out.println(e.getMessage());
          }
        }
      }
    }
  }

  /** Stores what the JDK's serialization writes. */
  static final class Serializer {
    private Serializer() {}

    public static void main(String[] arguments) {
      Codecs codecs = Codecs.builder().fallback(Fallback.JAVA_SERIALIZATION).build();
      try (Rockpool pool = Rockpool.at(Path.of(arguments[0])).codecs(codecs).open()) {
        var map = pool.map("m", String.class, Object.class);
        List<Object> values =
            List.of(
                List.of(1, 2), Set.of(1, 2), Map.of(1, 2, 3, 4), new LinkedHashMap<>(Map.of(1, 2)));
        for (Object value : values) {
          map.put("k", value);
          System.out.println(value.equals(map.get("k")));
        }
      }
    }
  }

  @Test
  @MaySkip("an older JVM does not know the flag")
  void aJvmThatDeniesAccessToMemorySerializes() throws Exception {
    Assumptions.assumeTrue(Runtime.version().feature() >= FIRST_THAT_DENIES);
    List<String> deny = List.of("--sun-misc-unsafe-memory-access=deny");
    try (Child child = Child.start(Serializer.class, deny, directory)) {
      for (int i = 0; i < 4; i++) {
        assertThat(child.readLine()).isEqualTo("true");
      }
      assertThat(child.waitFor()).isZero();
    }
  }

  @Test
  void noTextIsReadAsAnother() throws Exception {
    try (Rockpool pool = Rockpool.open(directory)) {
      pool.map("notes", String.class, Note.class).put("k", new Note("abc"));
      pool.map("texts", String.class, String.class).put("k", "abc");
    }
    try (Child child = Child.start(Reader.class, List.of("-XX:-CompactStrings"), directory)) {
      assertThat(child.readLine()).isEqualTo("abc");
      assertThat(child.readLine()).contains("-XX:-CompactStrings");
      assertThat(child.readLine()).contains("-XX:-CompactStrings");
      assertThat(child.waitFor()).isZero();
    }
    try (Rockpool pool = Rockpool.open(directory)) {
      var notes = pool.map("notes", String.class, Note.class);
      assertThat(notes.get("k")).isEqualTo(new Note("abc"));
      assertThat(notes).hasSize(1);
    }
  }

  /** Each time, not only for the first value. */
  @Test
  @MaySkip("an older JVM does not know the flag")
  void aJvmThatDeniesAccessToMemoryIsNamed() throws Exception {
    Assumptions.assumeTrue(Runtime.version().feature() >= FIRST_THAT_DENIES);
    try (Rockpool pool = Rockpool.open(directory)) {
      pool.map("notes", String.class, Note.class).put("k", new Note("abc"));
      pool.map("texts", String.class, String.class).put("k", "abc");
    }
    String deny = "--sun-misc-unsafe-memory-access=deny";
    try (Child child = Child.start(Reader.class, List.of(deny), directory)) {
      assertThat(child.readLine()).isEqualTo("abc");
      assertThat(child.readLine()).contains(deny, "--add-opens=java.base/java.lang.invoke");
      assertThat(child.readLine()).contains(deny);
      assertThat(child.waitFor()).isZero();
    }
    String opens = "--add-opens=java.base/java.lang.invoke=ALL-UNNAMED";
    try (Child child = Child.start(Reader.class, List.of(deny, opens), directory)) {
      assertThat(child.readLine()).isEqualTo("abc");
      assertThat(child.readLine()).contains("Note[text=abc]");
      assertThat(child.waitFor()).isZero();
    }
  }
}
