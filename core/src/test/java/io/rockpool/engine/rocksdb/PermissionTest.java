package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.error.StoreIoException;
import io.rockpool.testing.Child;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that may not read or write a store's files refuses to open it, says what to do, and
 * leaves it alone. Where root runs the tests, who may do anything, the process is one of root's
 * without that privilege.
 */
@Slow
@Timeout(60)
@Needs(Tool.BOUND_USER)
final class PermissionTest {
  /** Lets root do what any user may, and no more. */
  private static final List<String> UNPRIVILEGED =
      List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search");

  /** A file of a store, and what it may be used for. */
  private record Modes(String path, String modes) {}

  /** Each of these lacks something. */
  private static final List<Modes> LACKING =
      List.of(
          new Modes(".", "---------"),
          new Modes("lock", "---------"),
          new Modes("lock", "r--r--r--"),
          new Modes("ROCKPOOL", "---------"),
          new Modes("db", "---------"),
          new Modes("db", "r-xr-xr-x"),
          new Modes("db/CURRENT", "---------"));

  @TempDir Path parent;
  private List<String> program = List.of();

  @BeforeEach
  void dropPrivileges() throws Exception {
    if (System.getProperty("user.name").equals("root")) {
      program = UNPRIVILEGED;
    }
  }

  private static void setModes(Path path, String modes) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(modes));
  }

  /** What a process says that opens stores. */
  private List<String> open(List<Path> stores) throws IOException, InterruptedException {
    List<String> said = new ArrayList<>();
    try (Child opener = Child.startUnder(program, StoreOpener.class, List.of(), stores.toArray())) {
      for (String line = opener.readLine(); line != null; line = opener.readLine()) {
        said.add(line);
      }
      assertThat(opener.waitFor()).isZero();
    }
    return said;
  }

  private static void assertRefused(Path directory, String said) {
    assertThat(said)
        .startsWith(StoreIoException.class.getName())
        .contains("the store at " + directory)
        .containsAnyOf("permissions", "is it there, writable");
  }

  @Test
  void aStoreIsRefusedUntilItMayBeReadAndWritten() throws Exception {
    List<Path> stores = new ArrayList<>();
    Map<Path, String> before = new LinkedHashMap<>();
    for (Modes lacking : LACKING) {
      Path store = parent.resolve("store-" + stores.size());
      stores.add(store);
      RocksDbEngine.open(store, RocksDbOptions.defaults()).close();
      Path path = store.resolve(lacking.path);
      before.put(path, PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
      setModes(path, lacking.modes);
    }
    List<String> said = open(stores);
    assertThat(said).hasSameSizeAs(stores);
    for (int i = 0; i < stores.size(); i++) {
      assertRefused(stores.get(i), said.get(i));
    }
    for (Map.Entry<Path, String> path : before.entrySet()) {
      setModes(path.getKey(), path.getValue());
    }
    assertThat(open(stores)).hasSameSizeAs(stores).containsOnly(StoreOpener.OPENED);
  }

  @Test
  void aStoreInADirectoryThatMayNotBeSearchedIsRefused() throws Exception {
    Path outer = Files.createDirectory(parent.resolve("outer"));
    Path store = outer.resolve("store");
    RocksDbEngine.open(store, RocksDbOptions.defaults()).close();
    setModes(outer, "---------");
    String said = open(List.of(store)).get(0);
    setModes(outer, "rwx------");
    assertRefused(store, said);
  }

  @Test
  void noStoreIsMadeWhereNoneMayBe() throws Exception {
    Path full = Files.createDirectory(parent.resolve("full"));
    setModes(full, "r-xr-xr-x");
    Path store = full.resolve("store");
    assertRefused(store, open(List.of(store)).get(0));
    assertThat(full).isEmptyDirectory();
  }
}
