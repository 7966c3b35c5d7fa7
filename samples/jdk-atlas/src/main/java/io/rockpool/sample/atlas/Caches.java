package io.rockpool.sample.atlas;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.spi.CachingProvider;
import org.jspecify.annotations.Nullable;

/** The caches of the atlas, made by the first run and found by every later one. */
final class Caches implements AutoCloseable {
  private final CachingProvider provider;
  private final CacheManager manager;

  /** Opens the caches in a directory, or in the provider's default one. */
  Caches(@Nullable Path directory) {
    provider = Caching.getCachingProvider();
    manager =
        directory == null
            ? provider.getCacheManager()
            : provider.getCacheManager(uri(directory), provider.getDefaultClassLoader());
  }

  Cache<String, ClassSummary> summaries() {
    return cache("jdk-atlas/classes", ClassSummary.class);
  }

  Cache<String, FirstRun> firstRuns() {
    return cache("jdk-atlas/first-runs", FirstRun.class);
  }

  private <V> Cache<String, V> cache(String name, Class<V> type) {
    Cache<String, V> kept = manager.getCache(name, String.class, type);
    return kept != null
        ? kept
        : manager.createCache(
            name, new MutableConfiguration<String, V>().setTypes(String.class, type));
  }

  /** Where the caches are kept: the URI names the directory after its scheme. */
  Path directory() {
    return Path.of(manager.getURI().getSchemeSpecificPart()).toAbsolutePath().normalize();
  }

  /** The bytes of all files in a directory; none where the provider keeps no directory. */
  static long diskBytes(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return 0;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).mapToLong(Caches::size).sum();
    }
  }

  @Override
  public void close() {
    provider.close();
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (NoSuchFileException gone) {
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static URI uri(Path directory) {
    try {
      return new URI("rockpool", directory.toAbsolutePath().normalize().toString(), null);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("The directory " + directory + " makes no URI.", e);
    }
  }
}
