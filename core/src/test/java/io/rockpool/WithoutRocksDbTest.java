package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.backup.DirectoryTarget;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.error.NativeLibraryException;
import io.rockpool.testing.SlimProgram;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What works in a JVM whose class path lacks {@code rocksdbjni}, and what is said where it does
 * not.
 */
@Slow
@Timeout(120)
final class WithoutRocksDbTest {
  private static final String NATIVES = "io.rockpool.internal.rocksdb.natives.";

  @TempDir Path directory;

  @Test
  void onlyThePackageThatUsesItNeedsIt() throws Exception {
    List<String> failed = SlimProgram.loads(Rockpool.class);
    assertThat(failed).hasSizeGreaterThan(10).allMatch(name -> name.startsWith(NATIVES));
  }

  @Test
  void aStoreOnTheHeapWorks() throws Exception {
    assertThat(SlimProgram.uses("memory")).isEqualTo("1 2c");
  }

  /** Tries all ways to open a directory. */
  static final class OnDisk {
    private OnDisk() {}

    public static void main(String[] arguments) throws IOException {
      Path place = Path.of(arguments[0]);
      Path old = Path.of(arguments[1]);
      Path backups = Path.of(arguments[2]);
      Map<String, Consumer<Path>> ways = new TreeMap<>();
      ways.put("open", path -> Rockpool.open(path).close());
      ways.put("open an old one", path -> Rockpool.open(old).close());
      ways.put("temporary", path -> Rockpool.temporary().open().close());
      ways.put("engine", path -> RocksDbEngine.open(path, RocksDbOptions.defaults()).close());
      ways.put("salvage", path -> StoreSalvage.copy(old, path));
      ways.put("open a backup", path -> StoreBackups.open(DirectoryTarget.at(backups)).close());
      ways.forEach(
          (way, opens) -> {
            try {
              opens.accept(place.resolve("new"));
              System.out.println(way + ": nothing");
            } catch (Throwable e) {
              System.out.println(way + ": " + e);
            }
          });
    }
  }

  @Test
  void aDirectoryNamesTheArtifact() throws Exception {
    Path place = Files.createDirectory(directory.resolve("place"));
    Path old = directory.resolve("old");
    Path backups = directory.resolve("backups");
    try (Rockpool pool = Rockpool.open(old)) {
      pool.cache("cache", String.class, String.class).put("a", "b");
      pool.backups().make(DirectoryTarget.at(backups));
    }
    List<String> said = SlimProgram.say(OnDisk.class, place, old, backups);
    assertThat(said)
        .hasSize(6)
        .allSatisfy(
            line ->
                assertThat(line)
                    .contains(": " + NativeLibraryException.class.getName() + ": ")
                    .endsWith(
                        "RocksDB is not on the class path, so no store in a directory can be"
                            + " opened. Add the artifact org.rocksdb:rocksdbjni, or use a server's"
                            + " engine or Rockpool.inMemory()."));
    assertThat(place).isEmptyDirectory();
    try (Rockpool pool = Rockpool.open(old)) {
      assertThat(pool.cache("cache", String.class, String.class).get("a")).isEqualTo("b");
    }
  }
}
