package io.rockpool.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.queue.PersistentQueue;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Programs that run in a JVM whose class path lacks {@code rocksdbjni}. */
public final class SlimProgram {
  private SlimProgram() {}

  /** The lines that a program prints there. */
  public static List<String> say(Class<?> main, Object... arguments) throws Exception {
    try (Child child = Child.start(main, Child.without("rocksdbjni"), arguments)) {
      List<String> said = child.readAll();
      assertThat(child.waitFor()).as("%s", said).isZero();
      return said;
    }
  }

  /**
   * The classes that cannot be initialized there, of those that were compiled with some classes.
   */
  public static List<String> loads(Class<?>... modules) throws Exception {
    List<String> said = say(EachClass.class, Stream.of(modules).map(Class::getName).toArray());
    int last = said.size() - 1;
    assertThat(Integer.parseInt(said.get(last))).as("classes that can").isGreaterThan(10);
    return said.subList(0, last);
  }

  /** What using a store prints there. */
  public static String uses(String uri) throws Exception {
    List<String> said = say(OneStore.class, uri);
    assertThat(said).hasSize(1);
    return said.get(0);
  }

  static final class EachClass {
    private EachClass() {}

    public static void main(String[] arguments) throws Exception {
      int loaded = 0;
      for (String argument : arguments) {
        for (String name : besides(Class.forName(argument))) {
          if (loads(name)) {
            loaded++;
          } else {
            System.out.println(name);
          }
        }
      }
      System.out.println(loaded);
    }

    private static List<String> besides(Class<?> type) throws Exception {
      Path classes = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
      List<String> names = new ArrayList<>();
      try (Stream<Path> files = Files.walk(classes)) {
        for (Path file : (Iterable<Path>) files.sorted()::iterator) {
          String name = classes.relativize(file).toString().replace('/', '.');
          if (name.endsWith(".class") && !name.contains("-info") && !name.startsWith("META-INF")) {
            names.add(name.substring(0, name.length() - ".class".length()));
          }
        }
      }
      return names;
    }

    /** Initializes a class and resolves its members. */
    private static boolean loads(String name) throws Exception {
      try {
        Class<?> type = Class.forName(name);
        return type.getMethods().length
                + type.getDeclaredMethods().length
                + type.getDeclaredConstructors().length
                + type.getDeclaredFields().length
            >= 0;
      } catch (NoClassDefFoundError e) {
        return !String.valueOf(e.getMessage()).contains("rocksdb"); // others are optional
      }
    }
  }

  static final class OneStore {
    private OneStore() {}

    public static void main(String[] arguments) {
      try (Rockpool pool =
          arguments[0].equals("memory")
              ? Rockpool.inMemory()
              : Rockpool.open(URI.create(arguments[0]))) {
        PersistentCache<String, Integer> cache = pool.cache("cache", String.class, Integer.class);
        cache.put("a", 1);
        StringBuilder found = new StringBuilder().append(cache.get("a"));
        if (!arguments[0].startsWith("redis")) {
          Map<String, Integer> map = pool.map("map", String.class, Integer.class);
          PersistentQueue<String> queue = pool.queue("queue", String.class);
          pool.runAtomically(
              transaction -> {
                map.put("b", 2);
                queue.send("c");
              });
          found.append(' ').append(map.get("b")).append(queue.receive().orElseThrow().message());
        }
        pool.reclaim();
        assertThat(pool.verify().findings()).isEmpty();
        assertThat(pool.state().statistics()).isEmpty();
        System.out.println(found);
      }
    }
  }
}
