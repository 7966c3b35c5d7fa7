package io.rockpool.internal.rocksdb.files;

import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.error.FormatVersionException;
import io.rockpool.error.StoreIoException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The object that marks a place of backups, and its errors. */
public final class BackupMarker {
  /** Its name. */
  public static final String NAME = "ROCKPOOL.backups";

  private static final int VERSION = 1;

  /** Its content. */
  public static final String TEXT = "Rockpool backups\nformat " + VERSION + "\n";

  /** A marker of any format is smaller. */
  public static final int MAX_BYTES = 4 << 10;

  private static final Pattern FORMAT =
      Pattern.compile("Rockpool backups\nformat ([1-9][0-9]{0,8})\n.*", Pattern.DOTALL);

  private static final String NONE = "There are no backups in ";

  private BackupMarker() {}

  /**
   * Whether a marker is whole; if not, the first use of the place was interrupted.
   *
   * @param place for messages
   * @param directory the place if it is a directory
   * @throws ForeignDirectoryException if it is something else
   * @throws FormatVersionException if a newer library made it
   */
  public static boolean isWhole(String text, String place, @Nullable Path directory) {
    Matcher format = FORMAT.matcher(text);
    if (!format.matches()) {
      if (!TEXT.startsWith(text)) {
        throw foreign("has a file " + NAME + " of another kind", place, directory);
      }
      return false;
    }
    int version = Integer.parseInt(format.group(1));
    if (version > VERSION) {
      throw new FormatVersionException(
          "The backups in "
              + place
              + " have format "
              + version
              + "; this library reads formats up to "
              + VERSION
              + ". Use the library that wrote them, or a newer one.",
          directory);
    }
    return true;
  }

  /** The exception for a place with other content, as {@code what} ("is not empty") says. */
  public static ForeignDirectoryException foreign(
      String what, String place, @Nullable Path directory) {
    return new ForeignDirectoryException(
        place
            + " "
            + what
            + "; it was left untouched. Choose an empty directory for the backups, or one that does not exist yet.",
        directory);
  }

  /** The exception for a place without backups. */
  public static StoreIoException missing(String place, @Nullable Path directory) {
    return new StoreIoException(
        NONE + place + ". Check the path, or make a backup.", directory, null);
  }

  /** Whether an exception says that a place has no backups, and not that it cannot be reached. */
  public static boolean isMissing(StoreIoException e) {
    return String.valueOf(e.getMessage()).startsWith(NONE);
  }
}
