package io.rockpool.redis.boot;

import io.lettuce.core.SslOptions;
import io.rockpool.engine.EngineFactory;
import io.rockpool.engine.EngineOptions;
import io.rockpool.redis.RedisEngine;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the engine for {@code rockpool.engine=redis}: on the server, the sentinels
 * or the cluster of Spring Boot's connection details, which are those of {@code
 * spring.data.redis.*} or of a service connection. Properties below {@code rockpool.redis} are the
 * options of {@link RedisEngine}.
 */
@AutoConfiguration(after = DataRedisAutoConfiguration.class)
@ConditionalOnClass(DataRedisConnectionDetails.class)
@ConditionalOnProperty(name = "rockpool.engine", havingValue = "redis")
public final class RockpoolRedisAutoConfiguration {
  private static final String OPTIONS = "rockpool.redis";

  /** The options of {@link RedisEngine}. */
  static final List<String> NAMES =
      List.of(
          "prefix",
          "timeout",
          "feed-timeout",
          "cluster",
          "master",
          "when-away",
          "read-from",
          "username",
          "password",
          "sentinel-username",
          "sentinel-password",
          "client-name",
          "verify-peer",
          "ca-certificate",
          "client-certificate",
          "client-key");

  private static final String TIMEOUT = "spring.data.redis.timeout";
  private static final String CLIENT_NAME = "spring.data.redis.client-name";

  @Bean
  @ConditionalOnBean(DataRedisConnectionDetails.class)
  @ConditionalOnMissingBean(EngineFactory.class)
  static EngineFactory rockpoolRedisEngine(
      DataRedisConnectionDetails details, Environment environment) {
    return options -> {
      Map<String, String> properties = properties(details, environment);
      properties.putAll(options.properties());
      return RedisEngine.open(
          uri(details),
          new EngineOptions(options.clock(), options.durability(), properties),
          tls(details.getSslBundle()));
    };
  }

  private static Map<String, String> properties(
      DataRedisConnectionDetails details, Environment environment) {
    Map<String, String> found = new LinkedHashMap<>();
    DataRedisConnectionDetails.Sentinel sentinel = details.getSentinel();
    if (sentinel != null) {
      put(found, "master", sentinel.getMaster());
      put(found, "sentinel-username", sentinel.getUsername());
      put(found, "sentinel-password", sentinel.getPassword());
    } else if (details.getCluster() != null) {
      put(found, "cluster", "true");
    }
    put(found, "username", details.getUsername());
    put(found, "password", details.getPassword());
    Binder binder = Binder.get(environment);
    put(found, "timeout", binder.bind(TIMEOUT, Duration.class).map(Object::toString).orElse(null));
    put(found, "client-name", environment.getProperty(CLIENT_NAME));
    for (String name : NAMES) { // each by itself: a map would also hold foreign variables
      put(found, name, binder.bind(OPTIONS + "." + name, String.class).orElse(null));
    }
    return found;
  }

  private static void put(Map<String, String> found, String name, @Nullable String value) {
    if (value != null) {
      found.put(OPTIONS + "." + name, value);
    }
  }

  private static URI uri(DataRedisConnectionDetails details) {
    String scheme = details.getSslBundle() == null ? "redis" : "rediss";
    DataRedisConnectionDetails.Sentinel sentinel = details.getSentinel();
    if (sentinel != null) {
      return uri(scheme + "-sentinel", sentinel.getNodes(), sentinel.getDatabase());
    }
    DataRedisConnectionDetails.Cluster cluster = details.getCluster();
    if (cluster != null) {
      return uri(scheme, cluster.getNodes(), 0);
    }
    DataRedisConnectionDetails.Standalone server = details.getStandalone();
    if (server == null) {
      throw new IllegalStateException(
          "The connection details of Redis name no server, sentinels or cluster. A fixed list of a"
              + " master and replicas is not supported. Use sentinels.");
    }
    return uri(scheme, List.of(new Node(server.getHost(), server.getPort())), server.getDatabase());
  }

  private static URI uri(String scheme, List<Node> nodes, int database) {
    return URI.create(
        nodes.stream()
            .map(node -> host(node.host()) + ":" + node.port())
            .collect(Collectors.joining(",", scheme + "://", "/" + database)));
  }

  private static String host(String host) {
    return host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
  }

  private static @Nullable SslOptions tls(@Nullable SslBundle bundle) {
    if (bundle == null) {
      return null;
    }
    SslOptions.Builder tls =
        SslOptions.builder()
            .keyManager(bundle.getManagers().getKeyManagerFactory())
            .trustManager(bundle.getManagers().getTrustManagerFactory());
    if (bundle.getOptions().getCiphers() != null) {
      tls.cipherSuites(bundle.getOptions().getCiphers());
    }
    if (bundle.getOptions().getEnabledProtocols() != null) {
      tls.protocols(bundle.getOptions().getEnabledProtocols());
    }
    return tls.build();
  }
}
