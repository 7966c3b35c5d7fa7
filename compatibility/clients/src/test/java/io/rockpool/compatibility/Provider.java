package io.rockpool.compatibility;

import io.rockpool.sample.testing.LocalServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.spi.CachingProvider;
import org.jspecify.annotations.Nullable;

/** The providers that each program runs on, and the engines of ours. Nothing is configured. */
public enum Provider {
  ROCKPOOL("io.rockpool.jcache.RockpoolCachingProvider", null),
  REDIS("io.rockpool.jcache.RockpoolCachingProvider", LocalServer.Kind.REDIS),
  POSTGRESQL("io.rockpool.jcache.RockpoolCachingProvider", LocalServer.Kind.POSTGRESQL),
  CAFFEINE("com.github.benmanes.caffeine.jcache.spi.CaffeineCachingProvider", null);

  /** The servers of this JVM, started on first use and ended with it. */
  private static final Map<LocalServer.Kind, LocalServer> SERVERS =
      new EnumMap<>(LocalServer.Kind.class);

  private final String className;
  private final LocalServer.@Nullable Kind server;

  Provider(String className, LocalServer.@Nullable Kind server) {
    this.className = className;
    this.server = server;
  }

  /** The name of its class, by which programs are told to use it. */
  public String className() {
    return className;
  }

  /** Whether what is cached is there after a restart. */
  public boolean survives() {
    return this != CAFFEINE;
  }

  public CachingProvider provider() {
    return Caching.getCachingProvider(className);
  }

  /** The manager of a directory; Caffeine's adapter, which knows no directories, has one alone. */
  public CacheManager open(Path directory) {
    return provider().getCacheManager(uri(directory), null);
  }

  /** The URI of a directory, or of a store of its own on a server. */
  public URI uri(Path directory) {
    if (server != null) {
      // The name of a temporary directory; a name of a schema is in small letters.
      String store = "s" + Integer.toHexString(directory.toAbsolutePath().toString().hashCode());
      return URI.create("rockpool+" + running(server).uri(store));
    }
    return this == ROCKPOOL ? URI.create("rockpool:" + directory) : provider().getDefaultURI();
  }

  private static synchronized LocalServer running(LocalServer.Kind kind) {
    kind.tool().orSkip();
    return SERVERS.computeIfAbsent(
        kind,
        it -> {
          try {
            return LocalServer.start(it);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** Closes every manager, as the end of a process does. */
  public void close() {
    provider().close();
  }
}
