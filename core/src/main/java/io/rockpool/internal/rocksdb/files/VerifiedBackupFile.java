package io.rockpool.internal.rocksdb.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code verified-backup} of a store: when the newest backup was made that was verified,
 * in milliseconds since the epoch in decimal, and a line feed.
 */
public final class VerifiedBackupFile {
  private static final Pattern TEXT = Pattern.compile("-?\\d{1,18}\n");

  private VerifiedBackupFile() {}

  /** Reads the file; null if there is none, or if its writer was killed. */
  public static @Nullable Instant read(StoreDirectory directory) {
    try {
      String text = Files.readString(path(directory), StandardCharsets.ISO_8859_1);
      return TEXT.matcher(text).matches()
          ? Instant.ofEpochMilli(Long.parseLong(text.strip()))
          : null;
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw StoreDirectory.refused("read the last verified backup of", directory.path(), e);
    }
  }

  /** Writes the file; durable on return. */
  public static void write(StoreDirectory directory, Instant created) {
    try {
      DurableFiles.write(path(directory), created.toEpochMilli() + "\n");
    } catch (IOException e) {
      throw StoreDirectory.refused("note a verified backup of", directory.path(), e);
    }
  }

  private static Path path(StoreDirectory directory) {
    return directory.path().resolve(StoreDirectory.VERIFIED_BACKUP);
  }
}
