package io.rockpool.backup;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.TreeSet;

/** Finds the backup target that a URI names. */
public final class BackupTargets {
  private BackupTargets() {}

  /**
   * The target at a URI: {@code file:///mnt/backups/shop}, or {@code s3://bucket/prefix} if the
   * artifact {@code rockpool-s3} is on the class path. Does not connect to it.
   *
   * @throws IllegalArgumentException if no artifact on the class path has targets of this kind, or
   *     the URI is wrong
   */
  public static BackupTarget at(URI uri) {
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    if (scheme.equals("file")) {
      return DirectoryTarget.at(Path.of(uri));
    }
    TreeSet<String> there = new TreeSet<>(List.of("file"));
    for (BackupTargetProvider provider : providers()) {
      if (provider.schemes().contains(scheme)) {
        return provider.open(uri);
      }
      there.addAll(provider.schemes());
    }
    throw new IllegalArgumentException(
        "The backups at "
            + shown(uri)
            + " cannot be reached. The class path has targets for URIs of "
            + String.join(", ", there)
            + " only. "
            + (scheme.equals("s3")
                ? "Add the artifact io.rockpool:rockpool-s3."
                : "Check the scheme, or add the artifact of its target."));
  }

  /** A URI for messages: without user, password and query. */
  private static String shown(URI uri) {
    return uri.toString().replaceAll("[?#].*", "").replaceFirst("//[^/]*@", "//");
  }

  /** Those of the thread's class loader, or of Rockpool's own. */
  private static List<BackupTargetProvider> providers() {
    List<BackupTargetProvider> found = new ArrayList<>();
    ServiceLoader.load(BackupTargetProvider.class).forEach(found::add);
    ServiceLoader.load(BackupTargetProvider.class, BackupTargetProvider.class.getClassLoader())
        .forEach(found::add);
    return found;
  }
}
