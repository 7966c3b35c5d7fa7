package io.rockpool.benchmarks;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Stores filled once and copied for each contestant: all begin with the same files. They lie below
 * {@link #ROOT_PROPERTY}, by default a directory among the temporary files that each new build of
 * the benchmarks empties.
 */
final class PreparedStore {
  /** The name of a prepared store's one cache. */
  static final String NAME = "benchmark";

  /** Where prepared stores and copies of them are kept. */
  static final String ROOT_PROPERTY = "rockpool.benchmarks.directory";

  private static final int LOAD_BATCH = 10_000;

  /** A store that has not changed its size for so long has no compaction running. */
  private static final long QUIET_MILLIS = 1_500;

  private PreparedStore() {}

  private static String firstOf(String classPath) {
    int end = classPath.indexOf(File.pathSeparatorChar);
    return end < 0 ? classPath : classPath.substring(0, end);
  }

  /** The directory under which this build keeps its stores. */
  static Path root() {
    String wanted = System.getProperty(ROOT_PROPERTY);
    if (wanted != null) {
      return Path.of(wanted);
    }
    Path all = Path.of(System.getProperty("java.io.tmpdir"), "rockpool-benchmarks");
    long build = new File(firstOf(System.getProperty("java.class.path"))).lastModified();
    Path mine = all.resolve(Long.toString(build));
    try (Stream<Path> others = Files.isDirectory(all) ? Files.list(all) : Stream.empty()) {
      others.filter(other -> !other.equals(mine)).forEach(PreparedStore::delete);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return mine;
  }

  /**
   * A copy of the store with so many entries, which is the caller's to change and to {@link
   * #delete}.
   */
  static Path copy(int entries, int valueBytes) {
    return copy(prepare(entries, valueBytes));
  }

  /** A copy of what {@code filler} makes in the directory it is given, which is not there yet. */
  static Path copy(String name, Consumer<Path> filler) {
    return copy(prepare(name, filler));
  }

  private static Path copy(Path prepared) {
    try {
      Path copy = Files.createTempDirectory(root(), "copy-");
      try (Stream<Path> files = Files.walk(prepared)) {
        for (Path file : files.filter(found -> !found.equals(prepared)).toList()) {
          // With its times: Ehcache takes a file that is newer than its index for damaged.
          Files.copy(
              file,
              copy.resolve(prepared.relativize(file).toString()),
              StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
      return copy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The store with so many entries, filled if it is not there yet. */
  static Path prepare(int entries, int valueBytes) {
    return prepare(
        entries + "x" + valueBytes,
        store -> {
          fill(store, entries, valueBytes);
          compact(store);
        });
  }

  private static Path prepare(String name, Consumer<Path> filler) {
    Path store = root().resolve(name);
    if (Files.exists(store)) {
      return store;
    }
    Path unfinished = root().resolve(name + "-unfinished");
    delete(unfinished);
    try {
      Files.createDirectories(root());
      filler.accept(unfinished);
      return Files.move(unfinished, store);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void fill(Path directory, int entries, int valueBytes) {
    Data values = new Data(Math.min(entries, Data.DISTINCT_VALUES), valueBytes);
    try (Rockpool pool = Rockpool.open(directory)) {
      PersistentCache<String, String> cache = RockpoolContestant.open(pool, 0);
      for (int from = 0; from < entries; from += LOAD_BATCH) {
        Map<String, String> batch = new HashMap<>();
        for (int i = from; i < Math.min(from + LOAD_BATCH, entries); i++) {
          batch.put(Data.key(i), values.valueAt(i));
        }
        cache.putAll(batch);
      }
    }
  }

  /** Opens a store, whose records are all in files now, until those are compacted. */
  static void compact(Path directory) {
    try (Rockpool pool = Rockpool.open(directory)) {
      long before;
      do {
        before = pool.state().diskBytes();
        Thread.sleep(QUIET_MILLIS);
      } while (pool.state().diskBytes() != before);
    } catch (InterruptedException e) {
      throw new IllegalStateException("Interrupted while a store was prepared.", e);
    }
  }

  static void delete(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> innermostFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : innermostFirst) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
