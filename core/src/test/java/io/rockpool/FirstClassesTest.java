package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.cache.PersistentCache;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Child;
import io.rockpool.testing.NotEncrypted;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fresh JVM loads what it uses: what each start loads, each start pays for. */
@NotEncrypted("which needs more classes")
final class FirstClassesTest {
  private static final Pattern LOADED = Pattern.compile("\\] *([\\w.$/]+) source: ");

  /** Classes of Rockpool without lambdas; less is better. */
  private static final int MOST_CLASSES = 410;

  /** Lambdas of all, and the JVM's own classes for them and for method handles. */
  private static final int MOST_LAMBDAS = 520;

  @TempDir Path directory;

  /** A program with a cache and a map of types that need no serializer. */
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) {
      try (Rockpool pool = Rockpool.open(Path.of(arguments[0]))) {
        PersistentCache<String, String> cache = pool.cache("cache", String.class, String.class);
        PersistentMap<String, Long> map = pool.map("map", String.class, Long.class);
        for (int i = 0; i < 100; i++) {
          cache.put("key-" + i, "value");
          map.put("key-" + i, 1L);
        }
        System.out.println(cache.get("key-1") + map.get("key-1"));
      }
    }
  }

  @Test
  void whatIsNotUsedIsNotLoaded() throws Exception {
    Path log = directory.resolve("classes.txt");
    try (Child child =
        Child.start(
            Program.class, List.of("-Xlog:class+load:file=" + log), directory.resolve("store"))) {
      assertThat(child.readAll()).contains("value1");
      assertThat(child.waitFor()).isZero();
    }
    List<String> loaded = loaded(log);
    assertThat(loaded).as("a store was opened").contains("org.rocksdb.RocksDB");
    assertThat(loaded).as("the serializer").noneMatch(name -> name.startsWith("org.apache.fory."));
    assertThat(loaded).as("the JVM's management").noneMatch(name -> name.contains("MBeanServer"));
    Predicate<String> lambda = name -> name.contains("Lambda");
    assertThat(loaded.stream().filter(lambda)).hasSizeLessThan(MOST_LAMBDAS);
    assertThat(
            loaded.stream().filter(name -> name.startsWith("io.rockpool.")).filter(lambda.negate()))
        .hasSizeLessThan(MOST_CLASSES);
  }

  private static List<String> loaded(Path log) throws Exception {
    try (Stream<String> lines = Files.lines(log)) {
      return lines.map(LOADED::matcher).filter(Matcher::find).map(found -> found.group(1)).toList();
    }
  }
}
