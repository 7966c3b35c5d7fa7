package io.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Child;
import io.rockpool.testing.Slow;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Large values and a small heap. */
@Slow
@Timeout(600)
final class SmallHeapCommandTest {
  private static final int LENGTH = 20 << 20;

  @TempDir private Path parent;

  /** A process that runs the command, and says the length of its output and its errors. */
  static final class Runner {
    private Runner() {}

    public static void main(String[] arguments) {
      StringWriter errors = new StringWriter();
      CountedWriter out = new CountedWriter();
      int code = RockpoolCommand.run(new PrintWriter(out), new PrintWriter(errors), arguments);
      System.out.println(code + " " + out.length() + " " + errors.toString().strip());
    }
  }

  /** Counts the characters of an output that is as large as the values. */
  private static final class CountedWriter extends Writer {
    private long length;

    long length() {
      return length;
    }

    @Override
    public void write(char[] text, int from, int count) {
      length += count;
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  private String run(String heap, Object... arguments) throws Exception {
    try (Child child = Child.start(Runner.class, List.of("-Xmx" + heap), arguments)) {
      String line = child.readLine();
      assertThat(child.waitFor()).isZero();
      return line;
    }
  }

  private Path fill(int values) {
    Path store = parent.resolve("store");
    try (Rockpool pool = Rockpool.open(store)) {
      PersistentMap<String, String> map = pool.map("large", String.class, String.class);
      for (int key = 0; key < values; key++) {
        map.put("key " + key, "x".repeat(LENGTH));
      }
    }
    return store;
  }

  @Test
  void aHeapThatIsTooSmallForAValueIsSaidInOneLine() throws Exception {
    Path store = fill(1);
    for (String verb : List.of("scan", "get", "export")) {
      Object[] arguments =
          switch (verb) {
            case "get" -> new Object[] {verb, store, "large", "key 0"};
            case "export" -> new Object[] {verb, store, "large", parent.resolve("e.jsonl")};
            default -> new Object[] {verb, store, "large"};
          };
      assertThat(run("30m", arguments))
          .as(verb)
          .startsWith("3 0 rockpool: ")
          .contains(" MB is too small for what the store holds.", "larger -Xmx")
          .matches(".* set JDK_JAVA_OPTIONS=-Xmx1[12]\\dm\\.");
    }
  }

  @Test
  void aTableOfLargeValuesTakesTheHeapOfFew() throws Exception {
    Path store = fill(10);
    assertThat(run("200m", "scan", store, "large")).matches("0 2097\\d{5} ");
  }
}
