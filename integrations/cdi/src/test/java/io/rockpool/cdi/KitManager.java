package io.rockpool.cdi;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import java.io.IOException;
import java.nio.file.Files;
import javax.cache.CacheManager;

/** The manager of the kit's caches. */
final class KitManager {
  private KitManager() {}

  @Produces
  @ApplicationScoped
  static CacheManager manager() throws IOException {
    return Managers.open(Files.createTempDirectory("rockpool-cdi-kit"));
  }
}
