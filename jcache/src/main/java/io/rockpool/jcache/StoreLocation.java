package io.rockpool.jcache;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/** Between the URIs of cache managers and the directories of their stores. */
final class StoreLocation {
  static final String SCHEME = "rockpool";
  static final String DIRECTORY_PROPERTY = "rockpool.directory";
  static final String DEFAULT_DIRECTORY = "rockpool-data";

  private StoreLocation() {}

  /** The URI of the directory named by the system property, or else of the default one. */
  static URI defaultUri() {
    String directory = System.getProperty(DIRECTORY_PROPERTY, DEFAULT_DIRECTORY);
    return uriOf(directory.isBlank() ? DEFAULT_DIRECTORY : directory);
  }

  static URI uriOf(String directory) {
    try {
      return new URI(SCHEME, directory, null);
    } catch (URISyntaxException e) {
      throw new CacheException(
          "The directory \"" + directory + "\" cannot be written as a URI.", e);
    }
  }

  /** The directory a URI stands for; a relative one lies under the working directory. */
  static Path directory(URI uri) {
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
            + "\" names no store; write rockpool: and a directory, as in rockpool:/var/data or rockpool:data.",
        cause);
  }
}
