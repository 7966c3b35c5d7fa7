package io.rockpool.internal.rocksdb.natives;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.error.NativeLibraryException;
import io.rockpool.testing.Child;
import io.rockpool.testing.Slow;
import io.rockpool.testing.StoreHolder;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Slow
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

  /** An interrupted thread opens the first store of a process. */
  static final class Interrupted {
    private Interrupted() {}

    public static void main(String[] arguments) {
      Thread.currentThread().interrupt();
      try (Rockpool pool = Rockpool.open(Path.of(arguments[0]))) {
        System.out.println(pool + " " + Thread.currentThread().isInterrupted());
      }
    }
  }

  @Test
  void anInterruptedThreadThatLoadsItStaysInterrupted() throws Exception {
    for (int i = 0; i < 4; i++) { // it depends on how fast "ldd" is
      Path store = home.resolve("store" + i);
      try (Child child = Child.start(Interrupted.class, options(), store)) {
        assertThat(child.readLine()).endsWith("true");
        assertThat(child.waitFor()).isZero();
      }
    }
  }

  /** A process that cannot load it tries to open a store, twice, and says what it got. */
  static final class Failing {
    private Failing() {}

    public static void main(String[] arguments) {
      for (int i = 0; i < 2; i++) {
        try (Rockpool pool = Rockpool.open(Path.of(arguments[0]))) {
          System.out.println("opened " + pool);
        } catch (Throwable e) {
          System.out.println(e);
        }
      }
    }
  }

  private String errorWith(List<String> jvmOptions) throws Exception {
    return errorWith(jvmOptions, null);
  }

  /** What the error is when the JVM is started with these options, and this file is in the way. */
  private String errorWith(List<String> jvmOptions, @Nullable Path inTheWay) throws Exception {
    Path store = home.resolve("store");
    Rockpool.open(store).close();
    if (inTheWay != null) {
      Files.createFile(inTheWay);
    }
    try (Child child = Child.start(Failing.class, jvmOptions, store)) {
      String error = child.readLine();
      assertThat(error).startsWith(NativeLibraryException.class.getName() + ": ");
      assertThat(child.readLine()).as("tried again").isEqualTo(error);
      assertThat(child.waitFor()).isZero();
      Rockpool.open(store).close(); // nothing is left that keeps others from it
      return error;
    }
  }

  @Test
  void theStoreKeepsItWhereNothingElseCan() throws Exception {
    Path file = Files.createFile(temporary.resolve("file"));
    Path store = home.resolve("store");
    try (Child child =
        Child.start(
            StoreHolder.class,
            List.of("-Djava.io.tmpdir=" + file, "-Duser.home=?", "-Duser.name=?"),
            store)) {
      assertThat(child.readLine()).contains(store.toString());
      assertThat(libraries(store)).hasSize(1);
      assertThat(Path.of("?")).doesNotExist();
      child.kill();
    }
    RocksDbEngine.open(store, RocksDbOptions.defaults()).close(); // it is still a store of ours
  }

  @Test
  void whereItMayNotBeKeptIsNamed() throws Exception {
    Path file = Files.createFile(temporary.resolve("file"));
    Path taken = Files.createDirectory(home.resolve("store")).resolve("native");
    assertThat(errorWith(List.of("-Djava.io.tmpdir=" + file, "-Duser.home=" + file), taken))
        .contains("could not be loaded from " + file, "nor from " + file.resolve(".cache"))
        .contains("nor from " + taken)
        .endsWith(
            "Set -Djava.io.tmpdir to a directory that this user may write to and run programs"
                + " from.");
  }

  @Test
  void whatIsNoLibraryIsNotLoaded() throws Exception {
    Path damaged = Files.createDirectory(temporary.resolve("damaged"));
    Files.writeString(damaged.resolve(NativeResource.nameForThisMachine()), "damaged");
    List<String> options = new ArrayList<>(options());
    options.add("-cp");
    options.add(damaged + File.pathSeparator + System.getProperty("java.class.path"));
    assertThat(errorWith(options))
        .contains("could not be loaded from " + temporary, "UnsatisfiedLinkError", "nor from")
        .contains("Set -Djava.io.tmpdir");
  }

  /** As on Alpine, whose images have no libstdc++. */
  @Test
  void aMissingLibraryIsNamed() throws Exception {
    String name = NativeResource.nameForThisMachine();
    Path needy = Files.createDirectory(temporary.resolve("needy"));
    try (InputStream code = NativeResource.class.getResourceAsStream("/" + name)) {
      String bytes = new String(code.readAllBytes(), StandardCharsets.ISO_8859_1);
      Files.writeString(
          needy.resolve(name),
          bytes.replace("libstdc++.so.6", "libstdc++.so.x"),
          StandardCharsets.ISO_8859_1);
    }
    List<String> options = new ArrayList<>(options());
    options.add("-cp");
    options.add(needy + File.pathSeparator + System.getProperty("java.class.path"));
    assertThat(errorWith(options))
        .endsWith(
            "This system lacks the library libstdc++.so.x, which RocksDB needs. Install it; Alpine"
                + " has it in the package libstdc++.");
  }

  @Test
  void aMachineThatThereIsNoneForIsNamed() throws Exception {
    assertThat(errorWith(List.of("-Dos.arch=ppc64")))
        .contains("no native code for this machine", "rocksdbjni")
        .endsWith("run on another platform.");
  }

  /** As two applications in one container, each with its own copy of everything. */
  @Test
  void twoClassLoadersOfOneProcessEachHaveTheirOwn() throws Exception {
    NativeLibrary.load(home);
    URL[] path =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(entry -> url(Path.of(entry)))
            .toArray(URL[]::new);
    for (int i = 0; i < 2; i++) {
      try (URLClassLoader other = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
        Class<?> library = other.loadClass(NativeLibrary.class.getName());
        assertThat(library).isNotSameAs(NativeLibrary.class);
        var load = library.getDeclaredMethod("load", Path.class);
        load.setAccessible(true);
        load.invoke(null, home);
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
