package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.Child;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class NativeLibraryTest {
  private static final String FILE = "librocksdbjni";

  @TempDir Path temporary;
  @TempDir Path home;

  private List<String> options() {
    return List.of("-Djava.io.tmpdir=" + temporary, "-Duser.home=" + home, "-Duser.name=anyone");
  }

  /** Opens a store in each of some processes at once, and kills them. */
  private void openInProcesses(int processes) throws Exception {
    List<Child> children = new ArrayList<>();
    try {
      for (int i = 0; i < processes; i++) {
        Path store = Files.createTempDirectory(home, "store").resolve("s");
        children.add(Child.start(StoreHolder.class, options(), store));
      }
      for (Child child : children) {
        assertThat(child.readLine()).contains("store");
        child.kill();
      }
    } finally {
      children.forEach(Child::close);
    }
  }

  private static List<Path> libraries(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.getFileName().toString().startsWith(FILE)).toList();
    }
  }

  @Test
  void processesThatStartAtOnceAndAreKilledLeaveOneCopy() throws Exception {
    openInProcesses(3);
    List<Path> copies = libraries(temporary);
    assertThat(copies).hasSize(1);
    assertThat(libraries(home)).isEmpty();
    byte[] whole = Files.readAllBytes(copies.get(0));
    Files.write(copies.get(0), Arrays.copyOf(whole, whole.length - 1));
    openInProcesses(1);
    assertThat(libraries(temporary)).isEqualTo(copies);
    assertThat(copies.get(0)).hasBinaryContent(whole);
  }

  @Test
  void codeIsNotLoadedFromWhereOthersMayWrite() throws Exception {
    Path planted = Files.createDirectory(temporary.resolve("rockpool-native-anyone"));
    Files.setPosixFilePermissions(planted, PosixFilePermissions.fromString("rwxrwxrwx"));
    openInProcesses(1);
    assertThat(libraries(temporary)).isEmpty();
    assertThat(libraries(home)).hasSize(1);
  }

  /** As two applications in one container, each with its own copy of everything. */
  @Test
  void twoClassLoadersOfOneProcessEachHaveTheirOwn() throws Exception {
    NativeLibrary.load();
    URL[] path =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(entry -> url(Path.of(entry)))
            .toArray(URL[]::new);
    for (int i = 0; i < 2; i++) {
      try (URLClassLoader other = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
        Class<?> library = other.loadClass(NativeLibrary.class.getName());
        assertThat(library).isNotSameAs(NativeLibrary.class);
        var load = library.getDeclaredMethod("load");
        load.setAccessible(true);
        load.invoke(null);
      }
    }
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
