package io.rockpool.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The versions of the libraries that take part, as the build wrote them down. */
final class Versions {
  private static final Properties ALL = load();

  private Versions() {}

  private static Properties load() {
    Properties all = new Properties();
    try (InputStream file = Versions.class.getResourceAsStream("versions.properties")) {
      all.load(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all;
  }

  /** The version of a library. */
  static String of(String library) {
    return ALL.getProperty(library);
  }
}
