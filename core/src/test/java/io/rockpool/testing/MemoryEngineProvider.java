package io.rockpool.testing;

import io.rockpool.engine.Engine;
import io.rockpool.engine.EngineOptions;
import io.rockpool.engine.EngineProvider;
import io.rockpool.engine.memory.MemoryEngine;
import java.net.URI;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Opens {@code memory://NAME}: each opening is another handle of the data of that name, which is in
 * this process. So tests of other modules run on an engine that is found by URI.
 */
public final class MemoryEngineProvider implements EngineProvider {
  private static final Map<String, MemoryEngine> SERVERS = new ConcurrentHashMap<>();
  private static volatile @Nullable EngineOptions last;

  /** As the service loader makes one. */
  public MemoryEngineProvider() {}

  /** The options of the last opening. */
  public static EngineOptions lastOptions() {
    return Objects.requireNonNull(last, "no opening");
  }

  @Override
  public Set<String> schemes() {
    return Set.of("memory");
  }

  @Override
  public Engine open(URI uri, EngineOptions options) {
    last = options;
    return SERVERS
        .computeIfAbsent(
            Objects.requireNonNull(uri.getHost(), "host"),
            name -> MemoryEngine.builder().clock(options.clock()).shared().build())
        .openAnother();
  }
}
