package io.rockpool.jcache.internal.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/** Between the URIs of cache managers and the directories of their stores. */
public final class StoreLocation {
  public static final String SCHEME = "rockpool";
  public static final String DIRECTORY_PROPERTY = "rockpool.directory";
  public static final String DEFAULT_DIRECTORY = "rockpool-data";

  /** The schemes of URIs that name a directory or a file, and may do so wrongly. */
  private static final Set<String> NOT_IN_NAMES =
      Set.of(SCHEME, "file", ConfigurationFile.CLASS_PATH);

  private StoreLocation() {}

  /**
   * The URI of the directory named by the system property, or else by the configuration on the
   * class path, or else of the default one.
   */
  public static URI defaultUri() {
    return uriOf(
        defaultDirectory(
            () ->
                ConfigurationFile.onClassPath(
                    Objects.requireNonNull(StoreLocation.class.getClassLoader()))));
  }

  private static String defaultDirectory(Supplier<ConfigurationFile> file) {
    String property = System.getProperty(DIRECTORY_PROPERTY, "");
    if (!property.isBlank()) {
      return property;
    }
    String configured = file.get().directory();
    return configured == null || configured.isBlank() ? DEFAULT_DIRECTORY : configured;
  }

  public static URI uriOf(String directory) {
    try {
      return new URI(SCHEME, directory, null);
    } catch (URISyntaxException e) {
      throw new CacheException(
          "The directory \"" + directory + "\" cannot be written as a URI.", e);
    }
  }

  /**
   * Whether a manager's URI is a mere name, as other providers' are: the manager's caches are in
   * the default store.
   */
  public static boolean isName(URI uri) {
    String scheme = uri.getScheme();
    return !ConfigurationFile.isNamedBy(uri)
        && !uri.toString().isBlank()
        && (scheme == null || !NOT_IN_NAMES.contains(scheme.toLowerCase(Locale.ROOT)));
  }

  /**
   * The directory of a manager's store: what its URI stands for or, where that names a file, what
   * this says. A relative one lies under the working directory.
   */
  public static Path directory(URI uri, ConfigurationFile file) {
    if (isName(uri)) {
      return Path.of(defaultDirectory(() -> file));
    }
    if (!ConfigurationFile.isNamedBy(uri)) {
      return directory(uri);
    }
    String configured = file.directory();
    return Path.of(configured == null ? defaultDirectory(() -> file) : configured);
  }

  /** The directory a URI stands for; a relative one lies under the working directory. */
  public static Path directory(URI uri) {
    String path = uri.getSchemeSpecificPart();
    if (!SCHEME.equalsIgnoreCase(uri.getScheme())
        || uri.getRawAuthority() != null
        || path == null
        || path.isBlank()) {
      throw refusal(uri, null);
    }
    try {
      return Path.of(path);
    } catch (InvalidPathException e) {
      throw refusal(uri, e);
    }
  }

  private static CacheException refusal(URI uri, @Nullable Throwable cause) {
    return new CacheException(
        "The URI \""
            + uri
            + "\" names no store; write rockpool: and a directory, as in rockpool:/var/data or"
            + " rockpool:data, or the URI of a configuration file, as in"
            + " file:/etc/shop/caches.conf.",
        cause);
  }
}
