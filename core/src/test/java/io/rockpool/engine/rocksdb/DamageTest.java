package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.rocksdb.DamagedStore.Outcome;
import io.rockpool.engine.rocksdb.DamagedStore.Result;
import io.rockpool.testing.Child;
import io.rockpool.testing.FaultLog;
import io.rockpool.testing.LeavesOpen;
import io.rockpool.testing.NotEncrypted;
import io.rockpool.testing.Seeds;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Damage to each of a store's files: it opens and reads what was written, or says what is wrong.
 * {@code -Drockpool.test.flips=1000} flips more bits than the gate does.
 */
@Slow
@LeavesOpen("stores are closed below their pools, as crashes leave them")
@NotEncrypted("needs large values of zeros in files of their own")
final class DamageTest {
  private static final int FLIPS = Integer.getInteger("rockpool.test.flips", 10);
  private static final int SECTOR_BYTES = 512;

  @TempDir static Path parent;
  private static Path store;
  private Path copy;

  @BeforeAll
  static void create() throws IOException {
    store = parent.resolve("store");
    DamagedStore.create(store);
  }

  private Path copy(String name) throws IOException {
    copy = parent.resolve(name);
    DamagedStore.delete(copy);
    DamagedStore.copy(store, copy);
    return copy;
  }

  private Path only(String kind) throws IOException {
    return DamagedStore.files(copy).get(kind).get(0);
  }

  private void truncate(Path file, long length) throws IOException {
    try (RandomAccessFile there = new RandomAccessFile(file.toFile(), "rw")) {
      there.setLength(length);
    }
  }

  @Test
  void isWholeAsItIs() throws IOException {
    Result result = DamagedStore.check(copy("whole"));
    assertThat(result.outcome()).as(result.message()).isEqualTo(Outcome.UNHARMED);
    assertThat(DamagedStore.files(store)).containsKeys(".sst", ".log", ".blob", "MANIFEST");
  }

  /** All that is behind the cut is lost, nothing before it is, and it is said how much that is. */
  @Test
  void aLogThatIsCutAnywhere() throws IOException {
    copy("cut");
    long length = only(".log").toFile().length();
    long lostBefore = Long.MAX_VALUE;
    for (long at = 0; at < length; at += SECTOR_BYTES) {
      copy("cut");
      truncate(only(".log"), at);
      Result result = DamagedStore.check(copy);
      assertThat(result.outcome()).as("%d: %s", at, result.message()).isEqualTo(Outcome.REPORTED);
      assertThat(result.changesLost()).as("cut at %d", at).isBetween(1L, lostBefore);
      assertThat(result.left()).isBetween(DamagedStore.IN_FILES, DamagedStore.NUMBERS - 1);
      lostBefore = result.changesLost();
    }
  }

  @Test
  void aLogThatIsMissing() throws IOException {
    copy("missing-log");
    Files.delete(only(".log"));
    Result result = DamagedStore.check(copy);
    assertThat(result.outcome()).as(result.message()).isEqualTo(Outcome.REPORTED);
    assertThat(result.left()).isEqualTo(DamagedStore.IN_FILES);
    assertThat(result.message()).contains("at least " + result.changesLost() + " changes");
  }

  @ParameterizedTest
  @ValueSource(strings = {".sst", ".blob", "MANIFEST", "CURRENT", "ROCKPOOL"})
  void aFileThatIsMissing(String kind) throws IOException {
    copy("missing");
    Files.delete(only(kind));
    Result result = DamagedStore.check(copy);
    assertThat(result.outcome()).as(result.message()).isEqualTo(Outcome.REFUSED);
    assertThat(result.message())
        .contains(kind.equals("ROCKPOOL") ? "ForeignDirectoryException" : "CorruptStoreException");
  }

  @ParameterizedTest
  @ValueSource(strings = {".sst", ".blob", "MANIFEST", "CURRENT", "ROCKPOOL"})
  void aFileThatIsCutShort(String kind) throws IOException {
    for (int part = 0; part < 4; part++) {
      copy("short");
      Path file = only(kind);
      truncate(file, file.toFile().length() * part / 4);
      Result result = DamagedStore.check(copy);
      assertThat(result.outcome())
          .as("%d/4: %s", part, result.message())
          .isIn(Outcome.REFUSED, Outcome.REPORTED);
    }
  }

  @Test
  void everySortedFileThatIsMissing() throws IOException {
    copy("missing");
    Map<String, List<Path>> files = DamagedStore.files(copy);
    for (int i = 0; i < files.get(".sst").size(); i++) {
      copy("missing");
      Files.delete(DamagedStore.files(copy).get(".sst").get(i));
      Result result = DamagedStore.check(copy);
      assertThat(result.outcome()).as(result.message()).isEqualTo(Outcome.REFUSED);
    }
  }

  @Test
  void aBitThatIsFlippedAnywhere() throws Exception {
    List<String> lines = new ArrayList<>();
    for (long seed : Seeds.all().toArray()) {
      Path work = Files.createDirectories(parent.resolve("flips-" + seed));
      try (Child child = Child.start(ByteFlips.class, List.of(), store, work, seed, FLIPS)) {
        String line = child.readLine();
        while (line != null) {
          lines.add("seed " + seed + " " + line);
          line = child.readLine();
        }
        assertThat(child.waitFor()).as("end of the process after %s", lines).isZero();
      }
      assertThat(lines.get(lines.size() - 1)).endsWith(ByteFlips.DONE);
    }
    assertThat(lines).filteredOn(line -> line.contains(Outcome.WRONG + ":")).isEmpty();
    assertThat(lines).anyMatch(line -> line.contains(Outcome.REFUSED + ":"));
    FaultLog.write(
        FaultLog.Kind.DISK,
        "A bit is flipped anywhere in the files of a store",
        (long) FLIPS * Seeds.all().count(),
        Seeds.all().mapToObj(Long::toString).collect(Collectors.joining(", ")),
        "no wrong value is read",
        "nothing, or what an exception or the report names");
  }
}
