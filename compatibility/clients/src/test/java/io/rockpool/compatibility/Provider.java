package io.rockpool.compatibility;

import java.net.URI;
import java.nio.file.Path;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.spi.CachingProvider;

/** The providers that each program runs on. Nothing of either is configured. */
public enum Provider {
  ROCKPOOL("io.rockpool.jcache.RockpoolCachingProvider"),
  CAFFEINE("com.github.benmanes.caffeine.jcache.spi.CaffeineCachingProvider");

  private final String className;

  Provider(String className) {
    this.className = className;
  }

  /** The name of its class, by which programs are told to use it. */
  public String className() {
    return className;
  }

  public CachingProvider provider() {
    return Caching.getCachingProvider(className);
  }

  /** The manager of a directory; Caffeine's adapter, which knows no directories, has one alone. */
  public CacheManager open(Path directory) {
    return provider().getCacheManager(uri(directory), null);
  }

  public URI uri(Path directory) {
    return this == ROCKPOOL ? URI.create("rockpool:" + directory) : provider().getDefaultURI();
  }

  /** Closes every manager, as the end of a process does. */
  public void close() {
    provider().close();
  }
}
