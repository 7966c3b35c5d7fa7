package io.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the command says is one line without hidden characters, and a trace only if asked for. */
@Timeout(120)
final class PlainErrorsTest {
  private static final String HIDING = "a\u202eb\u200bcd\ud83c\udff4\udb40\udc67";
  private static final String SHOWN = "a\\u202eb\\u200bcd\ud83c\udff4\\udb40\\udc67";

  @TempDir Path parent;

  @Test
  void hiddenCharactersOfNamesAreShown() {
    Path store = parent.resolve("store");
    try (Rockpool pool = Rockpool.open(store)) {
      pool.map(HIDING, String.class, String.class).put("k", HIDING + "\u2028\u001b[1m");
    }
    for (CommandRun ran :
        List.of(
            CommandRun.of("ls", store),
            CommandRun.of("ls", store, "--format=json"),
            CommandRun.of("top", store),
            CommandRun.of("scan", store, HIDING),
            CommandRun.of("scan", store, HIDING, "--format=json"),
            CommandRun.of("scan", store, HIDING + "x"),
            CommandRun.of("get", store, HIDING, HIDING + "\u001b"),
            CommandRun.of("salvage", store, parent.resolve("out")),
            CommandRun.of("count", store, "name", HIDING))) {
      String said = ran.out() + ran.err();
      assertThat(said).contains(SHOWN);
      assertThat(said).doesNotContain("\u202e", "\u200b", "\u2028", "\u001b", "\udb40");
    }
  }

  /** No verb expects a class of the application whose file is damaged. */
  @Test
  void anUnexpectedErrorIsALine() throws IOException {
    Path classes = Files.createDirectories(parent.resolve("classes/broken"));
    Files.write(classes.resolve("Value.class"), new byte[] {1, 2, 3});
    Path export =
        Files.writeString(
            parent.resolve("export"),
            "{\"rockpool\":1,\"name\":\"n\",\"type\":\"map\","
                + "\"key\":\"java.lang.String\",\"value\":\"broken.Value\"}\n");
    Path store = parent.resolve("store");
    for (boolean debug : new boolean[] {false, true}) {
      CommandRun ran =
          CommandRun.of(
              "import",
              store,
              export,
              "--write",
              "--classpath=" + parent.resolve("classes"),
              debug ? "--debug" : "--format=text");
      assertThat(ran.code()).isEqualTo(RockpoolCommand.REFUSED);
      assertThat(ran.err())
          .startsWith("rockpool: It failed unexpectedly: java.lang.ClassFormatError");
      assertThat(ran.err().contains("\tat ")).as(ran.err()).isEqualTo(debug);
      assertThat(ran.err().lines().count() == 1).as(ran.err()).isEqualTo(!debug);
    }
  }
}
