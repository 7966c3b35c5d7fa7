package io.rockpool.s3;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where backups are: a bucket, the beginning of the keys there, and the server.
 *
 * @param prefix empty, or with a slash at its end
 * @param endpoint of a compatible server; null for Amazon's
 * @param region null for that of the environment
 */
record S3Location(
    String bucket,
    String prefix,
    @Nullable URI endpoint,
    @Nullable String region,
    boolean isPathStyle) {
  private static final Set<String> PARAMETERS = Set.of("endpoint", "region", "path-style");

  /**
   * Reads a URI such as {@code s3://bucket/prefix?endpoint=https://host:9000}.
   *
   * @throws IllegalArgumentException if it is wrong
   */
  static S3Location of(URI uri) {
    String bucket = uri.getRawAuthority();
    if (!"s3".equalsIgnoreCase(uri.getScheme()) || bucket == null) {
      throw wrong(uri, "it names no bucket");
    }
    if (bucket.contains("@") || bucket.contains(":")) {
      throw wrong(uri, "credentials and ports have no place before the bucket");
    }
    Map<String, String> parameters = parameters(uri);
    String endpoint = parameters.get("endpoint");
    String path = uri.getPath().replaceAll("^/+|/+$", "");
    return new S3Location(
        bucket,
        path.isEmpty() ? "" : path + "/",
        endpoint == null ? null : endpoint(uri, endpoint),
        region(uri, parameters.get("region")),
        Boolean.parseBoolean(parameters.getOrDefault("path-style", "" + (endpoint != null))));
  }

  private static URI endpoint(URI uri, String text) {
    URI endpoint = URI.create(text);
    if (endpoint.getHost() == null || !Set.of("http", "https").contains(endpoint.getScheme())) {
      throw wrong(uri, "the endpoint " + text + " is no URL of a server");
    }
    return endpoint;
  }

  /** A region is a part of the server's name. */
  private static @Nullable String region(URI uri, @Nullable String text) {
    if (text != null && !text.matches("[A-Za-z0-9-]+")) {
      throw wrong(uri, "the region \"" + text + "\" is none");
    }
    return text;
  }

  private static Map<String, String> parameters(URI uri) {
    Map<String, String> parameters = new TreeMap<>();
    if (uri.getRawQuery() != null) {
      for (String parameter : uri.getRawQuery().split("&", -1)) {
        int at = parameter.indexOf('=');
        String name = at < 0 ? parameter : parameter.substring(0, at);
        if (!PARAMETERS.contains(name) || at < 0) {
          throw wrong(uri, "it has a parameter \"" + name + "\"");
        }
        parameters.put(
            name, URLDecoder.decode(parameter.substring(at + 1), StandardCharsets.UTF_8));
      }
    }
    return parameters;
  }

  private static IllegalArgumentException wrong(URI uri, String why) {
    return wrong(uri, why, null);
  }

  static IllegalArgumentException wrong(URI uri, String why, @Nullable Throwable cause) {
    String shown = uri.toString().replaceAll("[?#].*", "").replaceFirst("//[^/]*@", "//");
    return new IllegalArgumentException(
        "The URI "
            + shown
            + " names no backups: "
            + why
            + ". Expected s3://bucket/prefix, and after a ? endpoint, region or path-style.",
        cause);
  }

  @Override
  public String toString() {
    return "s3://" + bucket + "/" + prefix.replaceAll("/$", "");
  }
}
