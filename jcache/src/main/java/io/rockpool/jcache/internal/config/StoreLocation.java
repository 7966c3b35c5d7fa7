package io.rockpool.jcache.internal.config;

import io.rockpool.Rockpool;
import io.rockpool.RockpoolBuilder;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/** Between the URIs of cache managers and their stores. */
public final class StoreLocation {
  /** The directory name that means a temporary store. */
  public static final String TEMPORARY = "temporary";

  public static final String SCHEME = "rockpool";
  public static final String URI_PROPERTY = "rockpool.uri";
  public static final String DIRECTORY_PROPERTY = "rockpool.directory";
  public static final String DEFAULT_DIRECTORY = "rockpool-data";

  /** The schemes of URIs that name a directory or a file, and may do so wrongly. */
  private static final Set<String> NOT_IN_NAMES =
      Set.of(SCHEME, "file", ConfigurationFile.CLASS_PATH);

  /** What the URI of a store on a server begins with; the scheme of its engine follows. */
  private static final String SERVER_PREFIX = SCHEME + '+';

  private StoreLocation() {}

  /**
   * The URI of the default store: what the system properties say, or else the configuration on the
   * class path of {@code loader}, or else the default directory.
   */
  public static URI defaultUri(ClassLoader loader) {
    return defaultUri(() -> ConfigurationFile.onClassPath(loader));
  }

  private static URI defaultUri(Supplier<ConfigurationFile> file) {
    String uri = System.getProperty(URI_PROPERTY, "").strip();
    if (!uri.isEmpty()) {
      return serverUri(uri);
    }
    String directory = System.getProperty(DIRECTORY_PROPERTY, "");
    return directory.isBlank() ? configuredUri(file.get()) : uriOf(directory);
  }

  private static URI configuredUri(ConfigurationFile file) {
    if (file.uri() != null) {
      return serverUri(file.uri());
    }
    String directory = file.directory();
    return uriOf(directory == null || directory.isBlank() ? DEFAULT_DIRECTORY : directory);
  }

  /** The URI of a manager whose store is on a server, as it is configured. */
  private static URI serverUri(String text) {
    try {
      return new URI(text.startsWith(SERVER_PREFIX) ? text : SERVER_PREFIX + text);
    } catch (URISyntaxException e) {
      // Neither the text nor the cause is shown: they may have a password.
      throw new CacheException(
          URI_PROPERTY + " is not a URI. Give one such as redis://localhost:6379.");
    }
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
        && !isOnServer(uri)
        && !uri.toString().isBlank()
        && (scheme == null || !NOT_IN_NAMES.contains(scheme.toLowerCase(Locale.ROOT)));
  }

  /**
   * A builder of a manager's store: the store that its URI stands for or, where that names a file,
   * the one that the file says. A relative directory lies under the working directory.
   */
  public static RockpoolBuilder store(URI uri, ConfigurationFile file) {
    URI place = uri;
    if (isName(uri)) {
      place = defaultUri(() -> file);
    } else if (ConfigurationFile.isNamedBy(uri)) {
      boolean configured = file.uri() != null || file.directory() != null;
      place = configured ? configuredUri(file) : defaultUri(() -> file);
    }
    if (isOnServer(place)) {
      return Rockpool.at(place);
    }
    Path directory = directory(place);
    return directory.toString().equals(TEMPORARY) ? Rockpool.temporary() : Rockpool.at(directory);
  }

  /** Whether a URI stands for a store on a server, as in {@code rockpool+redis://host}. */
  public static boolean isOnServer(URI uri) {
    return uri.toString().toLowerCase(Locale.ROOT).startsWith(SERVER_PREFIX);
  }

  /** A manager's URI for messages and the names of beans: without user and passwords. */
  public static String shown(URI uri) {
    return uri.toString()
        .replaceFirst("^([^/?#]*//)[^/?#]*@", "$1")
        .replaceAll("(?i)([?&][^=&#]*password)=[^&#]*", "$1");
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
            + shown(uri)
            + "\" names no store; write rockpool: and a directory, as in rockpool:/var/data or"
            + " rockpool:data, the URI of a server, as in"
            + " rockpool+redis://localhost, or the URI of a configuration file, as in"
            + " file:/etc/shop/caches.conf.",
        cause);
  }
}
