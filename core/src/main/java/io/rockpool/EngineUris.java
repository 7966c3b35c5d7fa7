package io.rockpool;

import io.rockpool.engine.Engine;
import io.rockpool.engine.EngineOptions;
import io.rockpool.engine.EngineProvider;
import io.rockpool.error.EngineNotFoundException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds the engine that a URI names. */
final class EngineUris {
  /** Where a URI must say that it is Rockpool's, as in JCache, this precedes its scheme. */
  private static final String PREFIX = "rockpool+";

  /** The artifacts of the engines that Rockpool has, by the schemes of their URIs. */
  private static final Map<String, String> ARTIFACTS =
      Map.of(
          "redis", "rockpool-redis",
          "rediss", "rockpool-redis",
          "redis-sentinel", "rockpool-redis",
          "rediss-sentinel", "rockpool-redis",
          "postgresql", "rockpool-postgresql");

  private EngineUris() {}

  static Engine open(URI uri, EngineOptions options) {
    URI plain = withoutPrefix(uri);
    String scheme = scheme(plain);
    if (scheme == null) {
      throw new IllegalArgumentException(
          "The URI " + shown(uri) + " has no scheme. Give one such as redis://localhost:6379.");
    }
    List<EngineProvider> providers = providers();
    for (EngineProvider provider : providers) {
      if (provider.schemes().contains(scheme)) {
        return provider.open(plain, options);
      }
    }
    throw notFound(uri, scheme, providers);
  }

  /** A URI for messages: without user, password and query. */
  static String shown(URI uri) {
    String text = uri.toString().replaceAll("[?#].*", "");
    return text.replaceFirst("//[^/]*@", "//");
  }

  private static @Nullable String scheme(URI uri) {
    return uri.getScheme() == null ? null : uri.getScheme().toLowerCase(Locale.ROOT);
  }

  private static URI withoutPrefix(URI uri) {
    String scheme = scheme(uri);
    return scheme != null && scheme.startsWith(PREFIX)
        ? URI.create(uri.toString().substring(PREFIX.length()))
        : uri;
  }

  /** Those of the thread's class loader, or of Rockpool's own. */
  private static List<EngineProvider> providers() {
    List<EngineProvider> found = new ArrayList<>();
    ServiceLoader.load(EngineProvider.class).forEach(found::add);
    ServiceLoader.load(EngineProvider.class, EngineProvider.class.getClassLoader())
        .forEach(found::add);
    return found;
  }

  private static EngineNotFoundException notFound(
      URI uri, String scheme, List<EngineProvider> providers) {
    TreeSet<String> there = new TreeSet<>();
    providers.forEach(provider -> there.addAll(provider.schemes()));
    String artifact = ARTIFACTS.get(scheme);
    return new EngineNotFoundException(
        "The store at "
            + shown(uri)
            + " cannot be opened. The class path has engines for "
            + (there.isEmpty() ? "no URIs" : "URIs of " + String.join(", ", there) + " only")
            + ". "
            + (artifact == null
                ? "Check the scheme, or add the artifact of its engine."
                : "Add the artifact io.rockpool:" + artifact + "."),
        scheme);
  }
}
