package io.rockpool.engine.rocksdb;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.RockpoolException;
import io.rockpool.internal.format.RecoveryPoint;
import io.rockpool.store.RecoveryReport;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A store as a crash leaves it, partly in files and partly in its log, all of it forced to the
 * disk; and what becomes of a damaged copy of it. Each number was written once and in order, in one
 * transaction each: so what is left of them must be the first ones, and whole.
 */
final class DamagedStore {
  static final int IN_FILES = 150;
  static final int NUMBERS = 190;

  /** Every so many have a value that lies in a file for large ones. */
  private static final int LARGE_EVERY = 50;

  private static final int LARGE_CHARS = 17 << 10;
  private static final String CACHE = "cache";
  private static final String MAP = "map";
  private static final String SCORED = "scored";
  private static final RocksDbOptions OPTIONS =
      RocksDbOptions.builder()
          .memoryBudgetBytes(16 << 20)
          .syncPeriod(Duration.ofMillis(10))
          .build();

  /** What became of a damaged store. */
  enum Outcome {
    /** It opened, and all is there. */
    UNHARMED,
    /** It opened and said that it has lost the last changes, which it has. */
    REPORTED,
    /** It did not open, or some reads fail, with an error of ours. */
    REFUSED,
    /** Any other. */
    WRONG
  }

  /** An outcome, and why. */
  record Result(Outcome outcome, String message, long changesLost, int left) {}

  private DamagedStore() {}

  /** Makes the store in {@code directory}, as it is to be copied. */
  static void create(Path directory) throws IOException {
    Path running = directory.resolveSibling(directory.getFileName() + "-running");
    try (RocksDbEngine engine = RocksDbEngine.open(running, OPTIONS)) {
      Rockpool pool = Rockpool.at(o -> engine).open();
      for (int number = 0; number < NUMBERS; number++) {
        put(pool, number);
        if (number == IN_FILES - 1) {
          CorruptedStore.flush(engine);
        }
      }
      engine.flush();
      awaitRecoveryPoint(engine, running);
      copy(running, directory);
    }
  }

  private static void awaitRecoveryPoint(RocksDbEngine engine, Path directory) throws IOException {
    long latest = engine.internals().database().latestSequence();
    long manifestBytes = files(directory).get("MANIFEST").get(0).toFile().length();
    RecoveryPoint kept;
    do {
      kept =
          Objects.requireNonNull(
              RecoveryPoint.decode(Files.readAllBytes(directory.resolve("recovery"))));
    } while (kept.sequence() < latest || kept.manifestBytes() < manifestBytes);
  }

  private static void put(Rockpool pool, int number) {
    PersistentCache<Integer, String> cache = pool.cache(CACHE, Integer.class, String.class);
    PersistentMap<Integer, String> map = pool.map(MAP, Integer.class, String.class);
    PersistentScoredSet<Integer> scored = pool.scoredSet(SCORED, Integer.class);
    pool.atomically(
        tx -> {
          cache.put(number, value(number));
          map.put(number, value(number));
          scored.add(number, number);
          return number;
        });
  }

  private static String value(int number) {
    String text = "value-" + number;
    return number % LARGE_EVERY == 0 && number < IN_FILES
        ? text.repeat(LARGE_CHARS / text.length())
        : text;
  }

  /** Opens a store, reads all there is, and says what it found. */
  static Result check(Path directory) {
    long lost = 0;
    try (RocksDbEngine engine = RocksDbEngine.open(directory, OPTIONS)) {
      lost = engine.recoveryReport().changesLost();
      return read(Rockpool.at(o -> engine).open(), engine.recoveryReport());
    } catch (RockpoolException e) {
      boolean isClear = String.valueOf(e.getMessage()).contains(directory.toString());
      return new Result(isClear ? Outcome.REFUSED : Outcome.WRONG, e.toString(), lost, 0);
    }
  }

  private static Result read(Rockpool pool, RecoveryReport report) {
    PersistentCache<Integer, String> cache = pool.cache(CACHE, Integer.class, String.class);
    PersistentMap<Integer, String> map = pool.map(MAP, Integer.class, String.class);
    PersistentScoredSet<Integer> scored = pool.scoredSet(SCORED, Integer.class);
    String refused = null;
    int left = 0;
    for (int number = 0; number < NUMBERS; number++) {
      int wanted = number;
      try {
        @Nullable String cached = cache.get(wanted);
        @Nullable String mapped = map.get(wanted);
        boolean there = scored.contains(wanted);
        boolean whole = value(wanted).equals(cached) && value(wanted).equals(mapped) && there;
        boolean gone = cached == null && mapped == null && !there;
        if (!whole && !gone) {
          return wrong(report, "a part of number " + number + " or another value");
        }
        if (whole && left < number && refused == null) {
          return wrong(report, "number " + number + ", but not " + left);
        }
        left += whole ? 1 : 0;
      } catch (RockpoolException e) {
        refused = e.toString();
      }
    }
    if (refused != null) {
      return new Result(Outcome.REFUSED, refused, report.changesLost(), left);
    }
    if (left == NUMBERS) {
      return new Result(Outcome.UNHARMED, report.message(), report.changesLost(), left);
    }
    return report.changesLost() > 0
        ? new Result(Outcome.REPORTED, report.message(), report.changesLost(), left)
        : wrong(report, "only " + left + " numbers");
  }

  private static Result wrong(RecoveryReport report, String what) {
    return new Result(
        Outcome.WRONG, "it has " + what + ", and says: " + report, report.changesLost(), 0);
  }

  /** The files of a store by what they are: {@code .sst}, {@code MANIFEST}, … */
  static Map<String, List<Path>> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> file.toFile().length() > 0)
          .sorted()
          .collect(Collectors.groupingBy(DamagedStore::kind));
    }
  }

  private static String kind(Path file) {
    String name = file.getFileName().toString();
    int dot = name.indexOf('.');
    int dash = name.indexOf('-');
    return dot >= 0 ? name.substring(dot) : dash >= 0 ? name.substring(0, dash) : name;
  }

  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
