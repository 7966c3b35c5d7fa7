package io.rockpool.redis;

import io.rockpool.engine.Engine;
import io.rockpool.engine.EngineOptions;
import io.rockpool.engine.EngineProvider;
import java.net.URI;
import java.util.Set;

/** Opens URIs of servers, clusters and sentinels; see {@link RedisEngine#open}. */
public final class RedisEngineProvider implements EngineProvider {
  /** Creates a provider, as the service loader does. */
  public RedisEngineProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("redis", "rediss", "redis-sentinel", "rediss-sentinel");
  }

  @Override
  public Engine open(URI uri, EngineOptions options) {
    return RedisEngine.open(uri, options);
  }
}
