package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rockpool.backup.DirectoryTarget;
import io.rockpool.encryption.TestKeys;
import io.rockpool.error.RockpoolException;
import io.rockpool.internal.rocksdb.files.AbandonedDirectories;
import io.rockpool.internal.rocksdb.files.DirectoryTree;
import io.rockpool.internal.rocksdb.natives.NativeResource;
import io.rockpool.testing.Child;
import io.rockpool.testing.NotEncrypted;
import io.rockpool.testing.Slow;
import io.rockpool.testing.StoreHolder;
import io.rockpool.testing.tools.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * In a directory that other users may write to, whatever is laid in the way of an operation makes
 * it neither hang, nor change a file outside, nor drop the lock of an open store.
 */
@Slow
@Timeout(180)
@NotEncrypted("files, not values")
final class SharedDirectoryTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String PRECIOUS = "precious";
  private static final String ABANDONED = "rockpool-temporary-1-";

  @TempDir Path outside;

  /** Where all users may write. */
  private Path shared;

  /** A directory that an attacker would like to have changed, and what is in it. */
  private Path victim;

  @BeforeEach
  void prepare() throws IOException {
    assumeTrue(
        outside.getFileSystem().supportedFileAttributeViews().contains("unix"),
        "links and FIFOs need a Unix file system");
    shared = Files.createDirectory(outside.resolve("shared"));
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
    victim = Files.createDirectory(outside.resolve("victim"));
    fill(victim);
  }

  private static void fill(Path directory) throws IOException {
    for (String name : List.of("a", "b", "lock", AbandonedDirectories.MARKER)) {
      Files.writeString(directory.resolve(name), PRECIOUS);
    }
  }

  /** What an attacker lays at a path. */
  private enum Trap {
    LINK_TO_DIRECTORY {
      @Override
      void lay(Path path, Path victim) throws IOException {
        Files.createSymbolicLink(path, victim);
      }
    },
    LINK_TO_FILE {
      @Override
      void lay(Path path, Path victim) throws IOException {
        Files.createSymbolicLink(path, victim.resolve("a"));
      }
    },
    LINK_TO_NEW_FILE {
      @Override
      void lay(Path path, Path victim) throws IOException {
        Files.createSymbolicLink(path, victim.resolve("new"));
      }
    },
    FIFO {
      @Override
      void lay(Path path, Path victim) throws IOException {
        fifo(path);
      }
    },
    STRANGERS_DIRECTORY {
      @Override
      void lay(Path path, Path victim) throws IOException {
        Files.createDirectory(path);
        fill(path);
        Files.createSymbolicLink(path.resolve("link"), victim);
        giveAway(path);
      }
    };

    abstract void lay(Path path, Path victim) throws IOException;
  }

  private static void fifo(Path path) throws IOException {
    try {
      Process made = new ProcessBuilder("mkfifo", path.toString()).inheritIO().start();
      assertThat(made.waitFor()).isZero();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Gives a path to another user; skips the test where this one may not. */
  private static void giveAway(Path path) throws IOException {
    Tool.ROOT.orSkip();
    Files.setOwner(
        path, path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
  }

  private static void age(Path path) throws IOException {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      Files.setLastModifiedTime(path, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
    }
  }

  /** An operation on a path in a shared directory. */
  @FunctionalInterface
  private interface Operation {
    void run(Path path) throws IOException;
  }

  /**
   * @param prepares what is there before the trap, which is laid at its result
   */
  private record Place(Preparation prepares, Operation operation) {}

  @FunctionalInterface
  private interface Preparation {
    Path at(Path shared) throws IOException;
  }

  private static Place under(String name, Operation operation) {
    return new Place(shared -> shared.resolve(name), operation);
  }

  /** In an open directory of a kind, the path of one of its parts. */
  private static Place part(Operation creates, String part, Operation operation) {
    return new Place(
        shared -> {
          Path whole = shared.resolve("whole");
          creates.run(whole);
          Files.setPosixFilePermissions(whole, PosixFilePermissions.fromString("rwxrwxrwx"));
          Path trapped = whole.resolve(part);
          if (Files.exists(trapped)) {
            DirectoryTree.delete(trapped);
          }
          return trapped;
        },
        path -> operation.run(path.getParent()));
  }

  private static void store(Path directory) {
    try (Rockpool pool = Rockpool.at(directory).lockWait(Duration.ZERO).open()) {
      pool.map("map", String.class, String.class).put("k", "v");
    }
  }

  private void backup(Path target) {
    try (Rockpool pool = Rockpool.at(outside.resolve("own")).open()) {
      pool.map("map", String.class, String.class).put("k", "v");
      pool.backups().make(DirectoryTarget.at(target));
    }
  }

  private void keysIn(Path file) {
    try (Rockpool pool =
        Rockpool.at(outside.resolve("own")).encryption(TestKeys.all().keysIn(file)).open()) {
      pool.map("map", String.class, String.class).put("k", "v");
    }
  }

  private Map<String, Place> places() {
    Map<String, Place> places = new LinkedHashMap<>();
    places.put(
        "an abandoned temporary store",
        under(ABANDONED + "x", path -> TemporaryDirectory.remove(create(path))));
    places.put(
        "the lock of a temporary store of a stranger",
        new Place(
            shared -> {
              Path directory = Files.createDirectory(shared.resolve(ABANDONED + "x"));
              giveAway(directory);
              return directory.resolve("lock");
            },
            path -> TemporaryDirectory.remove(create(path.getParent()))));
    places.put(
        "the lock of an own temporary store",
        new Place(
            shared -> Files.createDirectory(shared.resolve(ABANDONED + "x")).resolve("lock"),
            path -> TemporaryDirectory.remove(create(path.getParent()))));
    places.put(
        "the native code",
        under("rockpool-native-us", path -> NativeResource.ofThisMachine().extractTo(path, 0)));
    places.put("a file of data keys", under("keys", this::keysIn));
    for (String suffix : List.of(".new", ".lock")) {
      places.put(
          "a file of data keys, its " + suffix,
          new Place(
              shared -> shared.resolve("keys" + suffix),
              path -> keysIn(path.resolveSibling("keys"))));
    }
    places.put("a new store", under("store", SharedDirectoryTest::store));
    for (String part :
        List.of(
            "lock",
            "ROCKPOOL",
            "ROCKPOOL.creating",
            "recovery",
            "journal",
            "classes",
            "caches-only",
            "verified-backup",
            "checkpoints",
            "copies",
            "native")) {
      Operation all =
          directory -> {
            store(directory);
            try (Rockpool copy = Rockpool.at(directory).openCopy()) {
              assertThat(copy.toString()).isNotEmpty();
            }
            try (Rockpool pool = Rockpool.at(directory).open()) {
              pool.backups().make(DirectoryTarget.at(outside.resolve("backups")));
            }
          };
      places.put("a store's " + part, part(SharedDirectoryTest::store, part, all));
      places.put(
          "a copy of a store's " + part,
          part(
              SharedDirectoryTest::store,
              part,
              directory -> Rockpool.at(directory).openCopy().close()));
      places.put(
          "salvage of a store's " + part,
          part(
              SharedDirectoryTest::store,
              part,
              directory -> StoreSalvage.copy(directory, outside.resolve("salvaged"))));
      places.put(
          "an empty directory's " + part,
          part(Files::createDirectory, part, SharedDirectoryTest::store));
    }
    for (String part : List.of("ROCKPOOL.backups", "lock", "incoming", "backups", "files")) {
      places.put(
          "a backup target's " + part,
          part(
              this::backup,
              part,
              target -> {
                backup(target);
                StoreBackups.restore(DirectoryTarget.at(target), outside.resolve("restored"));
              }));
      places.put(
          "reading a backup target's " + part,
          part(
              this::backup,
              part,
              target ->
                  StoreBackups.restore(DirectoryTarget.at(target), outside.resolve("restored"))));
    }
    places.put(
        "the directory to restore to",
        new Place(
            shared -> {
              backup(outside.resolve("backups"));
              return shared.resolve("restored");
            },
            path -> StoreBackups.restore(DirectoryTarget.at(outside.resolve("backups")), path)));
    places.put(
        "the directory to salvage to",
        new Place(
            shared -> {
              store(outside.resolve("damaged"));
              return shared.resolve("salvaged");
            },
            path -> StoreSalvage.copy(outside.resolve("damaged"), path)));
    return places;
  }

  private static Path create(Path abandoned) throws IOException {
    age(abandoned);
    return TemporaryDirectory.create(abandoned.getParent());
  }

  @TestFactory
  List<DynamicTest> nothingOutsideIsChanged() {
    List<DynamicTest> tests = new ArrayList<>();
    places()
        .forEach(
            (name, place) -> {
              for (Trap trap : Trap.values()) {
                tests.add(DynamicTest.dynamicTest(name + ": " + trap, () -> springs(place, trap)));
              }
            });
    return tests;
  }

  private void springs(Place place, Trap trap) throws IOException {
    clean();
    Path path = place.prepares.at(shared);
    trap.lay(path, victim);
    Map<String, String> before = victims(path, trap);
    assertTimeoutPreemptively(
        LIMIT,
        () -> {
          try {
            place.operation.run(path);
          } catch (RockpoolException | IOException refused) {
            assertThat(refused).hasMessageNotContaining(PRECIOUS);
          }
        });
    assertThat(victims(path, trap)).isEqualTo(before);
  }

  private void clean() throws IOException {
    for (Path parent : List.of(shared, outside)) {
      List<Path> all;
      try (Stream<Path> files = Files.list(parent)) {
        all = files.toList();
      }
      for (Path each : all) {
        if (!each.equals(shared) && !each.equals(victim)) {
          DirectoryTree.delete(each);
        }
      }
    }
  }

  /** The files of the victim, and those that a stranger owns. */
  private Map<String, String> victims(Path path, Trap trap) throws IOException {
    Map<String, String> all = new TreeMap<>(content(victim));
    if (trap == Trap.STRANGERS_DIRECTORY && path.startsWith(shared) && !isInOurs(path)) {
      all.putAll(content(path));
    }
    return all;
  }

  /** Whether a directory of this user has the trap: it may then be deleted. */
  private boolean isInOurs(Path path) {
    return !path.getParent().equals(shared);
  }

  private static Map<String, String> content(Path directory) throws IOException {
    Map<String, String> content = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        content.put(
            file.toString(),
            Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) ? Files.readString(file) : "");
      }
    }
    return content;
  }

  @Test
  void theLockOfAnOpenStoreIsNotDropped() throws Exception {
    Path store = outside.resolve("open");
    try (Rockpool pool = Rockpool.at(store).open()) {
      Path trap = Files.createDirectory(shared.resolve(ABANDONED + "x"));
      Files.createSymbolicLink(trap.resolve("lock"), store.resolve("lock"));
      TemporaryDirectory.remove(create(trap));
      assertThat(pool.toString()).isNotEmpty();
      assertStaysLocked(store);
      Path other = Files.createDirectory(shared.resolve("other"));
      Files.createSymbolicLink(other.resolve("lock"), store.resolve("lock"));
      assertThatThrownBy(() -> store(other))
          .isInstanceOf(RockpoolException.class)
          .hasMessageContaining(other.toString());
      assertStaysLocked(store);
      assertThatThrownBy(() -> StoreSalvage.copy(store, outside.resolve("salvaged")))
          .isInstanceOf(RockpoolException.class);
      assertStaysLocked(store);
    }
  }

  /** Another process cannot open it. */
  private static void assertStaysLocked(Path store) throws Exception {
    try (Child child = Child.start(StoreHolder.class, List.of(), store)) {
      assertThat(child.readLine()).isNull();
      assertThat(child.waitFor()).isNotZero();
    }
  }

  @Test
  void anOwnAbandonedStoreIsDeleted() throws IOException {
    Path killed = TemporaryDirectory.create(shared);
    store(killed);
    Path abandoned = Files.move(killed, shared.resolve(ABANDONED + "x"));
    Path empty = Files.createDirectory(shared.resolve(ABANDONED + "y"));
    age(empty);
    TemporaryDirectory.remove(create(abandoned));
    assertThat(shared).isEmptyDirectory();
  }

  /** Whoever may rename in the parent can give any closed store of this user that name. */
  @Test
  void aStoreThatWasGivenTheNameOfATemporaryOneStays() throws IOException {
    Path renamed = shared.resolve(ABANDONED + "x");
    store(renamed);
    TemporaryDirectory.remove(create(renamed));
    assertThat(renamed.resolve("ROCKPOOL")).exists();
  }

  /** A process that makes all kinds of files, and prints which of them other users can reach. */
  static final class MakesFiles {
    private MakesFiles() {}

    public static void main(String[] arguments) throws IOException {
      Path shared = Path.of(arguments[0]);
      DirectoryTarget target = DirectoryTarget.at(shared.resolve("backups"));
      try (Rockpool temporary = Rockpool.temporary().open();
          Rockpool pool =
              Rockpool.at(shared.resolve("store"))
                  .encryption(TestKeys.all().keysIn(shared.resolve("keys")))
                  .open()) {
        temporary.map("map", String.class, String.class).put("k", "v");
        pool.map("map", String.class, String.class).put("k", "v");
        pool.backups().make(target);
        StoreBackups.restore(target, shared.resolve("restored"));
        try (Rockpool copy =
            Rockpool.at(shared.resolve("store"))
                .encryption(TestKeys.all().keysIn(shared.resolve("keys")))
                .openCopy()) {
          System.out.println(copy);
          printReachable(shared);
        }
      }
      store(shared.resolve("plain"));
      System.out.println(StoreSalvage.copy(shared.resolve("plain"), shared.resolve("salvaged")));
      printReachable(shared);
    }

    private static void printReachable(Path directory) throws IOException {
      try (Stream<Path> all = Files.list(directory)) {
        for (Path each : (Iterable<Path>) all::iterator) {
          String modes =
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(each, LinkOption.NOFOLLOW_LINKS));
          if (!modes.endsWith("------")) {
            System.out.println("REACHABLE " + each + " " + modes);
          }
          if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS) && !modes.endsWith("---")) {
            printReachable(each);
          }
        }
      }
    }
  }

  @Test
  void noOtherUserReachesFilesThatAreMadeWithoutAnUmask() throws Exception {
    List<String> said = new ArrayList<>();
    try (Child child =
        Child.startUnder(
            List.of("sh", "-c", "umask 000; exec \"$0\" \"$@\""),
            MakesFiles.class,
            List.of("-Djava.io.tmpdir=" + shared),
            shared)) {
      for (String line = child.readLine(); line != null; line = child.readLine()) {
        said.add(line);
      }
      assertThat(child.waitFor()).isZero();
    }
    assertThat(said).isNotEmpty().noneMatch(line -> line.startsWith("REACHABLE"));
    try (Stream<Path> all = Files.list(shared)) {
      assertThat(all.map(each -> each.getFileName().toString()))
          .contains("backups", "keys", "plain", "restored", "salvaged", "store");
    }
  }

  /** A directory is replaced by a link while its content is being deleted. */
  @Test
  void aLinkThatComesDuringTheWalkIsNotFollowed() throws Exception {
    int files = 3_000;
    Path tree = Files.createDirectory(shared.resolve("tree"));
    Path sub = Files.createDirectory(tree.resolve("sub"));
    for (int i = 0; i < files; i++) {
      Files.createFile(sub.resolve("f" + i));
      Files.createFile(victim.resolve("f" + i));
    }
    Map<String, String> before = content(victim);
    AtomicBoolean ended = new AtomicBoolean();
    Thread attacker =
        new Thread(
            () -> {
              while (!ended.get()
                  && Files.exists(sub.resolve("f0"))
                  && Files.exists(sub.resolve("f1"))
                  && Files.exists(sub.resolve("f2"))) {
                Thread.onSpinWait();
              }
              try {
                Files.move(sub, shared.resolve("aside"));
                Files.createSymbolicLink(sub, victim);
              } catch (IOException tooLate) {
                ended.set(true);
              }
            });
    attacker.start();
    try {
      DirectoryTree.delete(tree);
    } catch (IOException refused) {
      assertThat(refused).isNotNull();
    } finally {
      ended.set(true);
      attacker.join();
    }
    assertThat(content(victim)).isEqualTo(before);
  }
}
