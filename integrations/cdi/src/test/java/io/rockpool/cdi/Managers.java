package io.rockpool.cdi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.cache.CacheManager;
import javax.cache.Caching;

/** Managers whose caches lie in a directory. */
final class Managers {
  private Managers() {}

  static CacheManager open(Path directory) throws IOException {
    Path file = directory.resolve("caches.conf");
    Files.writeString(
        file,
        "rockpool.jcache { directory = \""
            + directory.resolve("store")
            + "\", allow = [io.rockpool.cdi, manager, domain] }");
    return Caching.getCachingProvider().getCacheManager(file.toUri(), null);
  }
}
