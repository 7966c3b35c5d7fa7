package io.rockpool.artifacts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is in the jars that the build made. */
final class JarsTest {
  private static final Path COMMAND = Module.root().resolve("cli/target/rockpool.jar");
  private static final Path BENCHMARKS = Module.root().resolve("benchmarks/target/benchmarks.jar");

  private static final Pattern LEGAL =
      Pattern.compile("META-INF/[^/]*(LICENSE|NOTICE)[^/]*|META-INF/licenses/[^/]+");

  static List<Module> published() {
    return Module.publishedJars();
  }

  static List<Path> runnable() {
    return List.of(COMMAND, BENCHMARKS);
  }

  private static String text(JarFile jar, String name) throws IOException {
    ZipEntry entry = jar.getEntry(name);
    assertThat(entry).as("%s of %s", name, jar.getName()).isNotNull();
    try (InputStream in = jar.getInputStream(entry)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String ownText(String name) throws IOException {
    return Files.readString(Module.root().resolve(name));
  }

  /** Those of the classes, the sources, the documentation and the tests. */
  @ParameterizedTest
  @MethodSource("published")
  void eachHasTheLicenceAndTheNotice(Module module) throws IOException {
    assertThat(module.jars()).isNotEmpty();
    for (Path path : module.jars()) {
      try (JarFile jar = new JarFile(path.toFile())) {
        assertThat(text(jar, "META-INF/LICENSE")).as("%s", path).isEqualTo(ownText("LICENSE"));
        assertThat(text(jar, "META-INF/NOTICE")).as("%s", path).isEqualTo(ownText("NOTICE"));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("published")
  void theManifestNamesModuleAndVersion(Module module) throws IOException {
    try (JarFile jar = new JarFile(module.directory().resolve("target/" + module.jar()).toFile())) {
      Attributes manifest = jar.getManifest().getMainAttributes();
      assertThat(manifest.getValue("Automatic-Module-Name")).startsWith("io.rockpool.");
      assertThat(manifest.getValue("Implementation-Version")).isEqualTo(module.version());
    }
  }

  @ParameterizedTest
  @MethodSource("runnable")
  void runnableJarsMayLoadNativeCode(Path path) throws IOException {
    try (JarFile jar = new JarFile(path.toFile())) {
      Attributes manifest = jar.getManifest().getMainAttributes();
      assertThat(manifest.getValue("Main-Class")).isNotNull();
      assertThat(manifest.getValue("Enable-Native-Access")).isEqualTo("ALL-UNNAMED");
      assertThat(text(jar, "META-INF/LICENSE").strip()).startsWith(ownText("LICENSE").strip());
      assertThat(text(jar, "META-INF/NOTICE")).contains(ownText("NOTICE").strip());
    }
  }

  /** Apache-2.0, 4(d), and the licences that want their text kept. */
  @Test
  void theCommandKeepsTheNoticesOfWhatItBundles() throws IOException {
    List<String> withNotice = new ArrayList<>();
    try (JarFile command = new JarFile(COMMAND.toFile())) {
      String kept =
          command.stream()
              .map(ZipEntry::getName)
              .filter(name -> LEGAL.matcher(name).matches())
              .map(name -> quietText(command, name))
              .collect(Collectors.joining("\n"));
      for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, 0)) {
        if (entry.endsWith(".jar")) {
          try (JarFile bundled = new JarFile(entry)) {
            if (isIn(command, bundled)) {
              for (ZipEntry it : bundled.stream().toList()) {
                if (LEGAL.matcher(it.getName()).matches() && !it.isDirectory()) {
                  assertThat(kept.contains(text(bundled, it.getName()).strip()))
                      .as("%s of %s", it.getName(), entry)
                      .isTrue();
                  withNotice.add(Path.of(entry).getFileName() + " " + it.getName());
                }
              }
            }
          }
        }
      }
    }
    assertThat(withNotice)
        .anyMatch(it -> it.matches("fory-core-.*NOTICE"))
        .anyMatch(it -> it.matches("jackson-core-.*NOTICE"))
        .anyMatch(it -> it.matches("slf4j-api-.*LICENSE.txt"));
  }

  private static String quietText(JarFile jar, String name) {
    try {
      return text(jar, name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the command has the classes of a jar. */
  private static boolean isIn(JarFile command, JarFile bundled) {
    return bundled.stream()
        .map(ZipEntry::getName)
        .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
        .findFirst()
        .map(name -> command.getEntry(name) != null)
        .orElse(false);
  }
}
