package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.Slow;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application that is a module, on the module path of another JVM, with each form of opening its
 * package: what it stores is read, or the message says what to write.
 */
@Slow
@Timeout(300)
class ModulePathTest {
  private static final Pattern LIBRARIES =
      Pattern.compile("(caffeine|fory-core|jspecify|rocksdbjni|slf4j-api)-[0-9].*[.]jar");

  private static final String SOURCE =
      """
      package com.acme;

      import io.rockpool.Rockpool;
      import io.rockpool.codec.Codecs;
      import io.rockpool.codec.Fallback;
      import java.io.Serializable;
      import java.nio.file.Path;
      import java.time.Duration;
      import java.util.List;
      import java.util.Map;

      public class App {
        public record Order(String id, List<Line> lines) {}
        record Line(String sku, int number) {}
        record Key(int number, String text) {}
        record AnyKey(int number, List<String> texts) {}
        record Plain(int number, Color color) implements Serializable {}
        enum Color { RED { @Override public String toString() { return "r"; } }, BLUE }

        static class Bean implements Serializable {
          private int a = 1;
          String b = "x";
          @Override public boolean equals(Object o) {
            return o instanceof Bean that && that.a == a && b.equals(that.b);
          }
          @Override public int hashCode() { return a; }
        }

        interface Use { Object run(Rockpool pool); }

        static void use(Rockpool pool, String name, Object expected, Use use) {
          String outcome;
          try {
            Object found = use.run(pool);
            outcome = expected.equals(found) ? "ok" : "found " + found;
          } catch (Throwable e) {
            outcome = e.toString().replace('\\n', ' ');
          }
          System.out.println(name + ": " + outcome);
        }

        static <V> void value(Rockpool pool, String name, Class<V> type, V value) {
          use(pool, name, value, it -> {
            it.map("map/" + name, String.class, type).put("k", value);
            return it.map("map/" + name, String.class, type).get("k");
          });
        }

        static <K> void key(Rockpool pool, String name, Class<K> type, K key) {
          use(pool, name, key, it -> {
            it.cache("cache/" + name, type, String.class).put(key, "v");
            return it.cache("cache/" + name, type, String.class).iterator().next().getKey();
          });
        }

        public static void main(String[] arguments) {
          try (Rockpool pool = Rockpool.open(Path.of(arguments[0]))) {
            Order order = new Order("o", List.of(new Line("s", 1)));
            value(pool, "public record", Order.class, order);
            value(pool, "record as Object", Object.class, order);
            value(pool, "record", Line.class, new Line("s", 1));
            value(pool, "bean", Bean.class, new Bean());
            value(pool, "constant", Color.class, Color.RED);
            use(pool, "once", order, it -> it.once("k", Duration.ofDays(1), tx -> order));
            use(pool, "java", new Plain(1, Color.BLUE), it -> {
              var java = Codecs.builder().fallback(Fallback.JAVA_SERIALIZATION).build();
              var map = it.map("java", String.class, Plain.class, o -> o.codecs(java));
              map.put("k", new Plain(1, Color.BLUE));
              return map.get("k");
            });
            key(pool, "key", Key.class, new Key(1, "a"));
            key(pool, "canonical key", AnyKey.class, new AnyKey(1, List.of("a")));
            key(pool, "key as Object", Object.class, new AnyKey(1, List.of("a")));
            key(pool, "constant as key", Color.class, Color.RED);
            key(pool, "bean as key", Bean.class, new Bean());
          }
        }
      }
      """;

  @TempDir static Path libraries;
  @TempDir Path directory;

  @BeforeAll
  static void copyLibraries() throws IOException {
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      if (LIBRARIES.matcher(String.valueOf(path.getFileName())).matches()) {
        Files.copy(path, libraries.resolve(path.getFileName()));
      }
    }
    Path own = Path.of("target/classes").toRealPath();
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest
        .getMainAttributes()
        .put(new Attributes.Name("Automatic-Module-Name"), "io.rockpool.core");
    try (OutputStream file = Files.newOutputStream(libraries.resolve("rockpool-core.jar"));
        JarOutputStream jar = new JarOutputStream(file, manifest);
        Stream<Path> classes = Files.walk(own)) {
      for (Path path : classes.filter(Files::isRegularFile).toList()) {
        String name = own.relativize(path).toString().replace(File.separatorChar, '/');
        if (!name.equals("META-INF/MANIFEST.MF")) {
          jar.putNextEntry(new ZipEntry(name));
          Files.copy(path, jar);
        }
      }
    }
  }

  /** What became of each use, by its name. */
  private Map<String, String> run(String opening) throws Exception {
    Path sources = directory.resolve("src/com/acme");
    Path module = directory.resolve("mods/com.acme");
    Files.createDirectories(sources);
    Path info = directory.resolve("src/module-info.java");
    Files.writeString(
        info, "module com.acme { requires io.rockpool.core; requires java.base; " + opening + " }");
    Path source = sources.resolve("App.java");
    Files.writeString(source, SOURCE);
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-nowarn",
                "-d",
                module.toString(),
                "-cp",
                "",
                "-p",
                libraries.toString(),
                info.toString(),
                source.toString());
    assertThat(failed).isZero();
    Path output = directory.resolve("output.txt");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-p", libraries + File.pathSeparator + directory.resolve("mods")));
    command.addAll(List.of("--add-modules", "ALL-MODULE-PATH,jdk.unsupported"));
    command.addAll(List.of("-m", "com.acme/com.acme.App", directory.resolve("store").toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(directory.resolve("errors.txt").toFile())
            .start();
    try {
      assertThat(process.waitFor())
          .as(Files.readString(directory.resolve("errors.txt"), StandardCharsets.UTF_8))
          .isZero();
    } finally {
      process.destroyForcibly();
    }
    Map<String, String> outcomes = new TreeMap<>();
    for (String line : Files.readAllLines(output)) {
      outcomes.put(line.substring(0, line.indexOf(": ")), line.substring(line.indexOf(": ") + 2));
    }
    assertThat(outcomes).hasSize(12);
    return outcomes;
  }

  @Test
  void allIsStoredWhereThePackageIsOpen() throws Exception {
    assertThat(run("opens com.acme;").entrySet()).allMatch(use -> use.getValue().equals("ok"));
  }

  @Test
  void theMessageSaysWhatToWriteWhereItIsOpenToThisModuleOnly() throws Exception {
    Map<String, String> outcomes = run("opens com.acme to io.rockpool.core;");
    assertThat(outcomes)
        .allSatisfy(
            (name, outcome) -> {
              if (List.of("public record", "record as Object", "once").contains(name)) {
                assertNamesTheWayOut(outcome);
              } else {
                assertThat(outcome).as(name).isEqualTo("ok");
              }
            });
  }

  @Test
  void theMessageSaysWhatToWriteWhereItIsClosed() throws Exception {
    Map<String, String> outcomes = run("");
    assertThat(outcomes)
        .allSatisfy(
            (name, outcome) -> {
              if (!outcome.equals("ok")) {
                assertNamesTheWayOut(outcome);
              }
            });
    assertThat(outcomes.values()).filteredOn("ok"::equals).hasSizeLessThan(8);
  }

  private static void assertNamesTheWayOut(String outcome) {
    assertThat(outcome).contains("Write \"opens com.acme;\" in the module-info of module com.acme");
  }
}
