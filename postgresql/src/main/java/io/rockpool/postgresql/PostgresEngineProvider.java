package io.rockpool.postgresql;

import io.rockpool.engine.Engine;
import io.rockpool.engine.EngineOptions;
import io.rockpool.engine.EngineProvider;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Opens {@code postgresql://user:password@host:port/database?schema=rockpool}. Other parameters go
 * to the PostgreSQL driver. The properties {@code rockpool.postgresql.schema} and {@code
 * rockpool.postgresql.pool-size} of a builder are the schema and the size of the pool. Several
 * hosts, each with its port, are separated by commas.
 */
public final class PostgresEngineProvider implements EngineProvider {
  private static final String SCHEMA = "schema=";

  /** As the service loader makes one. */
  public PostgresEngineProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("postgresql");
  }

  @Override
  public Engine open(URI uri, EngineOptions options) {
    PostgresOptions opening = PostgresOptions.of(options);
    List<String> parameters = new ArrayList<>();
    boolean hasSchema = false;
    String query = uri.getRawQuery();
    for (String parameter : query == null ? new String[0] : query.split("&", -1)) {
      if (parameter.regionMatches(true, 0, SCHEMA, 0, SCHEMA.length())) {
        if (hasSchema || !parameter.startsWith(SCHEMA)) {
          throw new IllegalArgumentException(
              "The URI of the PostgreSQL server has the parameter \""
                  + parameter
                  + "\"; name one schema, and write schema=name in lower case.");
        }
        hasSchema = true;
        opening = opening.schema(decoded(parameter.substring(SCHEMA.length())));
      } else {
        parameters.add(parameter);
      }
    }
    String authority = uri.getRawAuthority();
    int at = authority == null ? -1 : authority.lastIndexOf('@');
    if (authority != null && at >= 0) {
      String[] parts = authority.substring(0, at).split(":", 2);
      parameters.add("user=" + encoded(decoded(parts[0])));
      if (parts.length > 1) {
        parameters.add("password=" + encoded(decoded(parts[1])));
      }
    }
    // An authority with several hosts has no host of its own.
    String hosts = authority == null ? "" : authority.substring(at + 1);
    if (hosts.isEmpty() || hosts.startsWith(":")) {
      throw new IllegalArgumentException(
          "The URI of the PostgreSQL server has no host; write postgresql://host:port/database.");
    }
    String path = uri.getRawPath();
    if (path == null || path.length() < 2) {
      throw new IllegalArgumentException(
          "The URI of the PostgreSQL server has no database; write"
              + " postgresql://host:port/database.");
    }
    return PostgresEngine.open(
        "jdbc:postgresql://"
            + hosts
            + path
            + (parameters.isEmpty() ? "" : "?" + String.join("&", parameters)),
        opening);
  }

  private static String decoded(String text) {
    // A plus sign is itself in a URI, and a space to this decoder.
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
