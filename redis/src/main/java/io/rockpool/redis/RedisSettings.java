package io.rockpool.redis;

import io.rockpool.engine.EngineOptions;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a URI and properties say of the connection.
 *
 * @param server the URI without query
 * @param prefix what all keys begin with
 * @param timeout how long a call waits for the server
 * @param feedTimeout how long a server may be silent before its hot tier is bypassed
 * @param clock the clock of a test, or null for the server's
 */
record RedisSettings(
    URI server,
    String prefix,
    boolean cluster,
    Duration timeout,
    Duration feedTimeout,
    @Nullable String username,
    @Nullable String password,
    boolean verifyPeer,
    @Nullable InstantSource clock) {
  private static final String DEFAULT_PREFIX = "rockpool";
  private static final String DEFAULT_TIMEOUT = "2s";
  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._/-]{1,64}");
  private static final Pattern DURATION = Pattern.compile("([0-9]+)(ms|s|m)");
  private static final String PROPERTIES = "rockpool.redis.";

  static RedisSettings of(URI uri, EngineOptions options) {
    if (uri.getHost() == null) {
      throw new IllegalArgumentException(
          "The URI of the Redis server names no host. Write it as redis://host:6379, and encode"
              + " special characters of the password.");
    }
    Map<String, String> said = new LinkedHashMap<>(options.properties());
    query(uri).forEach((name, value) -> said.put(PROPERTIES + name, value));
    Text text = new Text(said);
    InstantSource clock = options.clock();
    return new RedisSettings(
        uri,
        text.prefix(),
        text.flag("cluster", false),
        text.duration("timeout", DEFAULT_TIMEOUT),
        text.duration("feed-timeout", DEFAULT_TIMEOUT),
        text.of("username", null),
        text.of("password", null),
        text.flag("verify-peer", true),
        clock.equals(InstantSource.system()) ? null : clock);
  }

  /** The host and port for messages. */
  String place() {
    return server.getHost() + (server.getPort() < 0 ? "" : ":" + server.getPort());
  }

  private static Map<String, String> query(URI uri) {
    Map<String, String> found = new LinkedHashMap<>();
    if (uri.getRawQuery() != null) {
      for (String part : uri.getRawQuery().split("&", -1)) {
        int equals = part.indexOf('=');
        if (equals > 0) {
          found.put(decode(part.substring(0, equals)), decode(part.substring(equals + 1)));
        }
      }
    }
    return found;
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /**
   * Properties as texts; the short names go before those that begin with {@code rockpool.redis.}.
   */
  private record Text(Map<String, String> properties) {
    @Nullable String of(String name, @Nullable String otherwise) {
      String value = properties.get(PROPERTIES + name);
      return value != null ? value : properties.getOrDefault(name, otherwise);
    }

    boolean flag(String name, boolean otherwise) {
      String value = of(name, null);
      return value == null ? otherwise : Boolean.parseBoolean(value.strip());
    }

    String prefix() {
      String prefix = of("prefix", DEFAULT_PREFIX);
      if (prefix == null || !PREFIX.matcher(prefix).matches()) {
        throw new IllegalArgumentException(
            "The prefix of the keys is \""
                + prefix
                + "\". Give 1 to 64 letters, digits, dots, hyphens, underscores or slashes.");
      }
      return prefix;
    }

    Duration duration(String name, String otherwise) {
      String value = of(name, otherwise);
      var match = DURATION.matcher(value == null ? "" : value.strip().toLowerCase(Locale.ROOT));
      try {
        if (match.matches()) {
          String unit = match.group(2).equals("ms") ? "" : match.group(2);
          return unit.isEmpty()
              ? Duration.ofMillis(Long.parseLong(match.group(1)))
              : Duration.parse("PT" + match.group(1) + unit);
        }
        return Duration.parse(value);
      } catch (DateTimeParseException | NumberFormatException e) {
        throw new IllegalArgumentException(
            "The property " + name + " is \"" + value + "\". Give a duration such as 500ms or 2s.");
      }
    }
  }
}
