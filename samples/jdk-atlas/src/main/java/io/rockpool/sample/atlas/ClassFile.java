package io.rockpool.sample.atlas;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * One class file of the running JDK.
 *
 * @param key module and class, and before them the JDK, so that two JDKs share a cache and do not
 *     answer for each other
 * @param path where the JDK's image has it
 */
record ClassFile(String key, Path path) {
  private static final String SUFFIX = ".class";

  /** The running JDK, build and vendor included. */
  static String jdk() {
    return Runtime.version() + " " + System.getProperty("java.vendor");
  }

  /** The first {@code limit} class files of the running JDK, in the order of their names. */
  static List<ClassFile> ofRunningJdk(int limit) throws IOException {
    Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
    String jdk = jdk();
    try (Stream<Path> files = Files.walk(modules)) {
      return files
          .filter(ClassFile::holdsClass)
          .sorted()
          .limit(limit)
          .map(path -> new ClassFile(jdk + "/" + name(modules.relativize(path)), path))
          .toList();
    }
  }

  byte[] read() throws IOException {
    return Files.readAllBytes(path);
  }

  private static boolean holdsClass(Path path) {
    String file = path.getFileName() == null ? "" : path.getFileName().toString();
    return file.endsWith(SUFFIX) && !file.equals("module-info.class");
  }

  private static String name(Path relative) {
    String file = relative.toString();
    return file.substring(0, file.length() - SUFFIX.length());
  }
}
