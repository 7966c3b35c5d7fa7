package io.rockpool.redis;

import io.rockpool.engine.EngineOptions;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a URI and properties say of the connection.
 *
 * @param hosts the servers that are asked first: the server, the sentinels, or members of a cluster
 * @param master the name that the sentinels know the master by, or null without sentinels
 * @param prefix what all keys begin with
 * @param timeout how long a call waits for the server
 * @param feedTimeout how long a server may be silent before its hot tier is bypassed
 * @param clientName what the servers show as the name of the connections
 * @param login the user of the servers
 * @param sentinelLogin the user of the sentinels
 * @param missesWhenAway whether reads are misses while no server answers
 * @param readsFromReplicas whether replicas answer reads of caches that keep nothing in memory
 * @param tls files with certificates, or null without TLS
 * @param clock the clock of a test, or null for the server's
 */
record RedisSettings(
    List<HostPort> hosts,
    int database,
    @Nullable String master,
    String prefix,
    boolean cluster,
    Duration timeout,
    Duration feedTimeout,
    String clientName,
    Login login,
    Login sentinelLogin,
    boolean missesWhenAway,
    boolean readsFromReplicas,
    @Nullable Tls tls,
    @Nullable InstantSource clock) {
  private static final String DEFAULT_PREFIX = "rockpool";
  private static final String DEFAULT_TIMEOUT = "2s";
  private static final int DEFAULT_PORT = 6379;
  private static final int DEFAULT_SENTINEL_PORT = 26379;
  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._/-]{1,64}");
  private static final Pattern DURATION = Pattern.compile("([0-9]+)(ms|s|m)");
  private static final Duration MIN_DURATION = Duration.ofMillis(1);
  private static final Duration MIN_ASKING = Duration.ofSeconds(2);
  private static final Duration MAX_DURATION = Duration.ofDays(1);
  private static final Pattern CLIENT_NAME = Pattern.compile("[!-~]*");
  private static final Pattern DATABASE = Pattern.compile("[0-9]{1,9}");
  private static final Pattern HOST =
      Pattern.compile("(\\[[^\\]]+\\]|[^:\\[\\]]+)(?::([0-9]{1,5}))?");
  private static final String PROPERTIES = "rockpool.redis.";

  /** The place of a server. */
  record HostPort(String host, int port) {
    @Override
    public String toString() {
      return host + ":" + port;
    }
  }

  /** A user and its password. */
  record Login(@Nullable String username, @Nullable String password) {
    @Override
    public String toString() {
      return "a user";
    }
  }

  /** Files in PEM format, each null for the default of the JDK. */
  record Tls(
      boolean verifyPeer,
      @Nullable String caCertificate,
      @Nullable String clientCertificate,
      @Nullable String clientKey) {}

  static RedisSettings of(URI uri, EngineOptions options) {
    String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
    boolean sentinel = scheme.endsWith("-sentinel");
    boolean encrypted = scheme.startsWith("rediss");
    if (uri.getRawFragment() != null) {
      throw new IllegalArgumentException(
          "The URI of the Redis server has a part after \"#\", which means nothing. Leave it out,"
              + " and encode special characters of the password.");
    }
    Map<String, String> said = new LinkedHashMap<>(options.properties());
    query(uri).forEach((name, value) -> said.put(PROPERTIES + name, value));
    Text text = new Text(said);
    Login written = login(uri);
    Tls tls = text.tls(encrypted);
    InstantSource clock = options.clock();
    RedisSettings settings =
        new RedisSettings(
            hosts(uri, sentinel ? DEFAULT_SENTINEL_PORT : DEFAULT_PORT),
            database(uri),
            text.master(sentinel),
            text.prefix(),
            text.isSecond("cluster", "false", "true"),
            text.duration("timeout", DEFAULT_TIMEOUT),
            text.duration("feed-timeout", DEFAULT_TIMEOUT),
            text.clientName(),
            login(text.of("username", written.username()), text.of("password", written.password())),
            login(text.of("sentinel-username", null), text.of("sentinel-password", null)),
            text.isSecond("when-away", "fail", "miss"),
            text.isSecond("read-from", "master", "replica"),
            encrypted ? tls : null,
            clock.equals(InstantSource.system()) ? null : clock);
    text.refuseOthers();
    settings.checkKind();
    return settings;
  }

  /** Refuses what a single server, sentinels or a cluster would ignore. */
  private void checkKind() {
    if (cluster && master != null) {
      throw new IllegalArgumentException(
          "The URI names sentinels, and the property cluster is true. A cluster has no sentinels."
              + " Leave cluster out, or write the URI as redis://host1,host2?cluster=true.");
    }
    if (cluster && database != 0) {
      throw new IllegalArgumentException(
          "The URI names the database "
              + database
              + ", and the property cluster is true. A cluster has the database 0 only.");
    }
    if (!cluster && master == null && hosts.size() > 1) {
      throw new IllegalArgumentException(
          "The URI names "
              + hosts.size()
              + " servers: "
              + place()
              + ". Add cluster=true if they are a cluster, write redis-sentinel://...?master=NAME"
              + " if they are sentinels, or name one.");
    }
  }

  /** Longer than any attempt to connect: the client ends each step of it after the timeout. */
  Duration openingPatience() {
    return timeout.multipliedBy(100);
  }

  /** How long the upkeep waits for one server, when it can ask another one. */
  Duration askingPatience() {
    Duration most = feedTimeout.compareTo(MIN_ASKING) < 0 ? MIN_ASKING : feedTimeout;
    return timeout.compareTo(most) < 0 ? timeout : most;
  }

  /** The hosts and ports for messages. */
  String place() {
    String all = String.join(",", hosts.stream().map(HostPort::toString).toList());
    return master == null ? all : master + " of the sentinels " + all;
  }

  private static List<HostPort> hosts(URI uri, int defaultPort) {
    String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
    List<HostPort> hosts = new ArrayList<>();
    for (String each : authority.substring(authority.lastIndexOf('@') + 1).split(",", -1)) {
      Matcher match = HOST.matcher(each);
      if (!match.matches()) {
        throw new IllegalArgumentException(
            "The URI of the Redis server names no host. Write it as redis://host:6379, and encode"
                + " special characters of the password.");
      }
      String written = match.group(2);
      int port = written == null ? defaultPort : Integer.parseInt(written);
      if (port < 1 || port > 65_535) {
        throw new IllegalArgumentException(
            "The port of the Redis server is " + written + ". Give 1 to 65535.");
      }
      hosts.add(new HostPort(match.group(1).replaceAll("[\\[\\]]", ""), port));
    }
    return List.copyOf(hosts);
  }

  /** The user and password of a URI; a part without a colon is the password. */
  private static Login login(URI uri) {
    String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
    int end = authority.lastIndexOf('@');
    if (end < 0) {
      return new Login(null, null);
    }
    String info = authority.substring(0, end);
    int colon = info.indexOf(':');
    String username = colon <= 0 ? null : decode(info.substring(0, colon));
    return new Login(username, decode(info.substring(colon + 1)));
  }

  /** A user without a password would be ignored. */
  private static Login login(@Nullable String username, @Nullable String password) {
    if (username != null && password == null) {
      throw new IllegalArgumentException(
          "The user \""
              + username
              + "\" of the properties has no password. Set the password too; it may be empty.");
    }
    return new Login(username, password);
  }

  private static int database(URI uri) {
    String path = uri.getPath() == null ? "" : uri.getPath().replaceFirst("^/", "");
    if (!path.isEmpty() && !DATABASE.matcher(path).matches()) {
      throw new IllegalArgumentException(
          "The database of the Redis server is \""
              + path
              + "\". Give a number, as in redis://host/0.");
    }
    return path.isEmpty() ? 0 : Integer.parseInt(path);
  }

  private static Map<String, String> query(URI uri) {
    Map<String, String> found = new LinkedHashMap<>();
    if (uri.getRawQuery() != null) {
      for (String part : uri.getRawQuery().split("&", -1)) {
        if (part.isEmpty()) {
          continue;
        }
        int equals = part.indexOf('=');
        if (equals <= 0) {
          throw new IllegalArgumentException(
              "The query of the URI has \"" + part + "\". Write each option as name=value.");
        }
        String name = decode(part.substring(0, equals));
        if (found.put(name, decode(part.substring(equals + 1))) != null) {
          throw new IllegalArgumentException(
              "The query of the URI has \"" + name + "\" twice. Leave one of them out.");
        }
      }
    }
    return found;
  }

  private static String decode(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /**
   * Properties as texts; the short names go before those that begin with {@code rockpool.redis.}.
   */
  private static final class Text {
    private final Map<String, String> properties;
    private final Set<String> asked = new TreeSet<>();

    Text(Map<String, String> properties) {
      this.properties = properties;
    }

    /** Refuses properties of Redis that nothing has asked for: they are misspelt. */
    void refuseOthers() {
      for (String property : properties.keySet()) {
        if (property.startsWith(PROPERTIES)
            && !asked.contains(property.substring(PROPERTIES.length()))) {
          throw new IllegalArgumentException(
              "The engine for Redis has no option \""
                  + property.substring(PROPERTIES.length())
                  + "\". Its options are "
                  + String.join(", ", asked)
                  + ".");
        }
      }
    }

    @Nullable String of(String name, @Nullable String otherwise) {
      asked.add(name);
      String value = properties.get(PROPERTIES + name);
      return value != null ? value : properties.getOrDefault(name, otherwise);
    }

    @Nullable String master(boolean sentinel) {
      String master = of("master", null);
      if (sentinel && (master == null || master.isBlank())) {
        throw new IllegalArgumentException(
            "The URI of the sentinels names no master. Add its name, as in"
                + " redis-sentinel://host:26379?master=mymaster.");
      }
      if (!sentinel && master != null) {
        throw new IllegalArgumentException(
            "The property master is \""
                + master
                + "\", and the URI names no sentinels. Write it as"
                + " redis-sentinel://host:26379, or leave master out.");
      }
      return master;
    }

    /** Whether a property has the second of two values; the first is the default. */
    boolean isSecond(String name, String first, String second) {
      String value = Objects.requireNonNull(of(name, first)).strip();
      if (!first.equals(value) && !second.equals(value)) {
        throw new IllegalArgumentException(
            "The property "
                + name
                + " is \""
                + value
                + "\". Give "
                + first
                + " or "
                + second
                + ".");
      }
      return second.equals(value);
    }

    String clientName() {
      String name = Objects.requireNonNull(of("client-name", DEFAULT_PREFIX));
      if (!CLIENT_NAME.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "The property client-name is \""
                + name
                + "\". Give letters, digits and signs of ASCII, without spaces.");
      }
      return name;
    }

    Tls tls(boolean encrypted) {
      for (String name :
          List.of("verify-peer", "ca-certificate", "client-certificate", "client-key")) {
        if (of(name, null) != null && !encrypted) {
          throw new IllegalArgumentException(
              "The property "
                  + name
                  + " is set, but the URI asks for no TLS. Write its scheme as rediss or"
                  + " rediss-sentinel, or leave the property out.");
        }
      }
      Tls tls =
          new Tls(
              !isSecond("verify-peer", "true", "false"),
              of("ca-certificate", null),
              of("client-certificate", null),
              of("client-key", null));
      if ((tls.clientCertificate() == null) != (tls.clientKey() == null)) {
        throw new IllegalArgumentException(
            "Only one of the properties client-certificate and client-key is set. Set both, or"
                + " none.");
      }
      return tls;
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
      String value = Objects.requireNonNull(of(name, otherwise)).strip();
      Duration duration = parsed(value);
      if (duration == null
          || duration.compareTo(MIN_DURATION) < 0
          || duration.compareTo(MAX_DURATION) > 0) {
        throw new IllegalArgumentException(
            "The property "
                + name
                + " is \""
                + value
                + "\". Give a duration such as 500ms or 2s, from 1ms to a day.");
      }
      return duration;
    }

    private static @Nullable Duration parsed(String value) {
      Matcher match = DURATION.matcher(value.toLowerCase(Locale.ROOT));
      try {
        if (match.matches()) {
          return match.group(2).equals("ms")
              ? Duration.ofMillis(Long.parseLong(match.group(1)))
              : Duration.parse("PT" + match.group(1) + match.group(2));
        }
        return Duration.parse(value);
      } catch (DateTimeParseException | NumberFormatException e) {
        return null;
      }
    }
  }
}
