package io.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rockpool.Rockpool;
import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.KeyProviders;
import io.rockpool.engine.SpaceName;
import io.rockpool.testing.NotEncrypted;
import io.rockpool.testing.Slow;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files and output of the command: who can read them, and what happens if they end. */
@Slow
@Timeout(120)
final class ExportedFileTest {
  private static final Path FULL = Path.of("/dev/full");

  @TempDir Path parent;
  private Path store = Path.of("");

  @BeforeEach
  void makeStore() {
    store = parent.resolve("store");
    try (Rockpool pool = Rockpool.open(store)) {
      var names = pool.map("names", Integer.class, String.class);
      names.putAll(
          IntStream.range(0, 20_000)
              .boxed()
              .collect(java.util.stream.Collectors.toMap(i -> i, i -> "name " + i)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--values"})
  void aNewFileIsReadableForItsOwnerOnly(String how) throws IOException {
    Path file = parent.resolve("names.jsonl");
    assertThat(export(store, file, how).err()).isEmpty();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    long bytes = Files.size(file);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    Files.writeString(file, "x".repeat((int) bytes + 100));
    assertThat(export(store, file, how).code()).isZero();
    assertThat(Files.size(file)).isEqualTo(bytes);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .as("that of the operator")
        .isEqualTo("rw-r-----");
  }

  private static CommandRun export(Path store, Object file, String how, Object... more) {
    return CommandRun.of(
        Stream.concat(
                Stream.of("export", store, "names", file, how).filter(part -> !part.equals("")),
                Stream.of(more))
            .toArray());
  }

  @Test
  @NotEncrypted("it compares encrypted names with others")
  void anExportOfAnEncryptedNameSaysThatItIsPlaintext() throws IOException {
    Path keys = parent.resolve("keys");
    Files.writeString(keys, KeyProviders.newKey("may"));
    Path half = parent.resolve("half");
    try (Rockpool pool =
        Rockpool.at(half)
            .encryption(Encryption.with(KeyProviders.file(keys)).only("names"))
            .open()) {
      pool.map("names", Integer.class, String.class).put(1, "a");
      pool.map("clear", Integer.class, String.class).put(1, "a");
    }
    for (String file : List.of("-", parent.resolve("file").toString())) {
      CommandRun ran = export(half, file, "", "--key-file", keys);
      assertThat(ran.code()).as(ran.err()).isZero();
      assertThat(ran.err())
          .isEqualTo(
              "rockpool: \"names\" is encrypted in the store, and the export is plaintext."
                  + System.lineSeparator());
    }
    assertThat(CommandRun.out("export", half, "clear", "-", "--key-file", keys)).isNotEmpty();
  }

  /** The names that the library keeps for itself. */
  static Stream<String> ownNames() {
    return Stream.of(SpaceName.class.getFields())
        .filter(field -> field.getType() == String.class)
        .map(ExportedFileTest::text)
        .flatMap(level -> Stream.of(level, level + "/names"));
  }

  private static String text(Field field) {
    try {
      return (String) field.get(null);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @MethodSource("ownNames")
  void aNameOfTheLibraryIsNotImported(String name) throws IOException {
    for (String how : List.of("", "--values")) {
      Path file = parent.resolve("own-name");
      Files.deleteIfExists(file);
      export(store, file, how).assertDone();
      Path other = parent.resolve("other" + how);
      CommandRun.of("import", other, file, "--as", name, "--write")
          .assertRefused("The name \"" + name + "\" is the library's own");
      Files.writeString(file, Files.readString(file).replace("\"names\"", '"' + name + '"'));
      CommandRun.of("import", other, file, "--write")
          .assertRefused("The name \"" + name + "\" is the library's own");
      assertThat(other).doesNotExist();
    }
  }

  @Test
  void aLineThatIsNoRecordIsNamed() throws IOException {
    Path file = parent.resolve("no-base64");
    export(store, file, "").assertDone();
    String good = Files.readString(file);
    Files.writeString(file, good.replaceFirst("\"v\":\"", "\"v\":\"!"));
    CommandRun.of("import", parent.resolve("new"), file, "--write")
        .assertRefused("Line 2 has no Base64 as \"v\"");
    Files.writeString(
        file, good.replace("{\"records\":20000}", "{\"records\":18446744073709571616}")); // + 2^64
    CommandRun.of("import", parent.resolve("newer"), file, "--write")
        .assertRefused("were exported");
  }

  @Test
  void anImportNeedsAName() throws IOException {
    Path file = parent.resolve("nameless");
    export(store, file, "").assertDone();
    Files.writeString(file, Files.readString(file).replace("\"name\":", "\"label\":"));
    CommandRun.of("import", parent.resolve("new"), file, "--write").assertRefused("has no name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--values"})
  void aFullDiskIsAnError(String how) {
    assumeTrue(Files.exists(FULL));
    export(store, FULL, how).assertRefused("could not be written to /dev/full");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "export STORE names -",
        "export STORE names - --values",
        "scan STORE names --limit 0",
        "scan STORE names --limit 0 --format json",
        "count STORE names",
        "ls STORE",
        "--help"
      })
  void outputToAFullDiskIsAnError(String command) throws Exception {
    assumeTrue(Files.exists(FULL));
    File err = parent.resolve("err").toFile();
    Process process = builder(command).redirectOutput(FULL.toFile()).redirectError(err).start();
    try {
      assertThat(process.waitFor()).isEqualTo(RockpoolCommand.REFUSED);
    } finally {
      process.destroyForcibly();
    }
    assertThat(Files.readString(err.toPath())).contains("The output could not be written");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "export STORE names -",
        "export STORE names - --values",
        "scan STORE names --limit 0 --format json",
        "stat STORE --watch 10ms"
      })
  void aClosedPipeEndsTheCommand(String command) throws Exception {
    File err = parent.resolve("err").toFile();
    Process process = builder(command).redirectError(err).start();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(lines.readLine()).isNotEmpty();
      lines.close();
      assertThat(process.waitFor()).isEqualTo(RockpoolCommand.REFUSED);
    } finally {
      process.destroyForcibly();
    }
    assertThat(Files.readString(err.toPath())).contains("nothing reads it any more");
  }

  private ProcessBuilder builder(String command) {
    List<String> all =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                RockpoolCommand.class.getName()));
    Stream.of(command.split(" ", -1))
        .map(part -> part.equals("STORE") ? store.toString() : part)
        .forEach(all::add);
    return new ProcessBuilder(all);
  }

  @Test
  void aMissingFileIsNamed() {
    CommandRun.of("import", parent.resolve("new"), parent.resolve("none"), "--write")
        .assertRefused("There is no file " + parent.resolve("none"));
    assertThat(Set.of(parent.toFile().list())).doesNotContain("new");
    export(store, parent.resolve("no/such/file"), "").assertRefused("There is no");
  }
}
