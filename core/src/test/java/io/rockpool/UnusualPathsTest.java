package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.backup.DirectoryTarget;
import io.rockpool.error.StoreIoException;
import io.rockpool.testing.MaySkip;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory with an unusual name works, or is refused before anything is made. */
@Slow
@MaySkip("the locale may have no such names")
class UnusualPathsTest {
  private static final List<String> NAMES =
      List.of("é", "日本", "a b", "ud83d", "\uD842\uDFB7野", "store-\uD83D\uDE00", "\uD835\uDC00");

  @TempDir Path directory;
  private Path store;
  private DirectoryTarget backups;

  /** Does something with a path that nothing is at; returns whether a store's entry is there. */
  private interface Use {
    boolean of(Path path) throws Exception;
  }

  private final Map<String, Use> uses = new LinkedHashMap<>();

  @BeforeEach
  void makeAStoreAndABackup() {
    Charset paths = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
    Assumptions.assumeTrue(NAMES.stream().allMatch(paths.newEncoder()::canEncode));
    store = directory.resolve("plain");
    backups = DirectoryTarget.at(directory.resolve("backups"));
    fill(store).close();
    try (Rockpool pool = Rockpool.open(store)) {
      pool.backups().make(backups);
    }
    uses.put("open", path -> isFilled(fill(path)));
    uses.put("open below", path -> isFilled(fill(path.resolve("below"))));
    uses.put("restore", path -> StoreBackups.restore(backups, path) != null && isFilled(path));
    uses.put(
        "back up",
        path -> {
          try (Rockpool pool = Rockpool.open(store)) {
            pool.backups().make(DirectoryTarget.at(path));
          }
          return isFilled(StoreBackups.open(DirectoryTarget.at(path)));
        });
    uses.put("salvage to", path -> StoreSalvage.copy(store, path) != null && isFilled(path));
  }

  private static Rockpool fill(Path path) {
    Rockpool pool = Rockpool.open(path);
    pool.map("m", String.class, String.class).put("k", "v");
    return pool;
  }

  private static boolean isFilled(Path path) {
    return isFilled(Rockpool.open(path));
  }

  private static boolean isFilled(Rockpool pool) {
    try (pool) {
      return "v".equals(pool.map("m", String.class, String.class).get("k"));
    }
  }

  private List<String> files() throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.map(Path::toString).filter(name -> !name.startsWith(store.toString())).toList();
    }
  }

  @Test
  void eachNameWorksOrIsRefusedBeforeAnythingIsMade() throws Exception {
    List<String> wrong = new ArrayList<>();
    int refused = 0;
    for (String name : NAMES) {
      for (Map.Entry<String, Use> use : uses.entrySet()) {
        Path path = directory.resolve(use.getKey().replace(' ', '-') + name);
        List<String> before = files();
        try {
          if (!use.getValue().of(path)) {
            wrong.add(use.getKey() + " " + name + ": the entry is lost");
          }
        } catch (StoreIoException e) {
          refused++;
          if (!e.getMessage().contains("U+") || !files().equals(before)) {
            wrong.add(use.getKey() + " " + name + ": " + e + " left " + files());
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(refused).isEqualTo(3 * 4); // A backup is written by the JDK alone.
  }

  /** Renamed by the user, or by a restore with other tools. */
  @Test
  void aStoreThatWasMovedThereIsLeftAsItIs() throws Exception {
    Path moved = directory.resolve(NAMES.get(4));
    Files.move(store, moved);
    List<String> before = files();
    for (Use use :
        List.<Use>of(
            path -> isFilled(path),
            path -> isFilled(Rockpool.at(path).openCopy()),
            path -> StoreSalvage.copy(path, directory.resolve("salvaged")) != null)) {
      assertThat(refuses(use, moved)).isTrue();
      assertThat(files()).isEqualTo(before);
    }
    Files.move(moved, store);
    assertThat(isFilled(store)).isTrue();
  }

  private static boolean refuses(Use use, Path path) throws Exception {
    try {
      use.of(path);
      return false;
    } catch (StoreIoException e) {
      return e.getMessage().contains("U+20BB7");
    }
  }
}
