package io.rockpool.compatibility.boot4;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.springframework.boot.loader.tools.Libraries;
import org.springframework.boot.loader.tools.Library;
import org.springframework.boot.loader.tools.LibraryScope;
import org.springframework.boot.loader.tools.Repackager;

/** The shop as one jar, made of this class path by what Boot's plugins for build tools use. */
final class FatJar {
  private static final String HERE = Shop.class.getPackageName().replace('.', '/');

  /** What an application has in the scope of tests. */
  private static final List<String> OF_TESTS =
      List.of("assertj", "junit", "opentest4j", "loader-tools", "-test-");

  private final Path work;

  private FatJar(Path work) {
    this.work = work;
  }

  /** Makes the jar, with a directory for what it is made of. */
  static void make(Path jar, Path work) throws IOException {
    new FatJar(work).make(jar);
  }

  private void make(Path jar) throws IOException {
    Path application = work.resolve("application.jar");
    List<Path> classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .filter(Files::exists)
            .toList();
    Path own = classPath.stream().filter(FatJar::hasShop).findFirst().orElseThrow();
    jarOf(own, application, path -> path.startsWith(HERE) && !path.contains("Test"));
    Repackager repackager = new Repackager(application.toFile());
    repackager.setMainClass(Shop.class.getName());
    repackager.repackage(jar.toFile(), libraries(classPath, own));
  }

  private static boolean hasShop(Path entry) {
    return Files.exists(entry.resolve(HERE).resolve("Shop.class"));
  }

  private Libraries libraries(List<Path> classPath, Path own) {
    return callback -> {
      int number = 0;
      for (Path entry : classPath) {
        if (Files.isRegularFile(entry)) {
          String name = entry.getFileName().toString();
          if (OF_TESTS.stream().noneMatch(name::contains)) {
            callback.library(new Library(entry.toFile(), LibraryScope.RUNTIME));
          }
        } else if (!entry.equals(own)) {
          // A module of this build that has no jar yet.
          Path jar = work.resolve("module-" + number++ + ".jar");
          jarOf(entry, jar, path -> true);
          callback.library(new Library(jar.toFile(), LibraryScope.RUNTIME));
        }
      }
    };
  }

  private static void jarOf(Path directory, Path jar, Predicate<String> wanted) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file);
        Stream<Path> all = Files.walk(directory)) {
      for (Path each : (Iterable<Path>) all.filter(Files::isRegularFile).sorted()::iterator) {
        String path = directory.relativize(each).toString().replace(File.separatorChar, '/');
        if (wanted.test(path)) {
          out.putNextEntry(new JarEntry(path));
          Files.copy(each, out);
          out.closeEntry();
        }
      }
    }
  }
}
