package io.rockpool.internal.format;

/**
 * The version of this library. A constant, since an application's jar has a manifest of its own.
 */
public final class LibraryVersion {
  /** That of the build, without {@code -SNAPSHOT}. */
  public static final String TEXT = "0.1.0";

  private LibraryVersion() {}
}
