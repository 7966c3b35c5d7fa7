package io.rockpool.internal.rocksdb.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/** Writes small files and lists of files so that a power loss does not undo it. */
public final class DurableFiles {
  private DurableFiles() {}

  /** Writes a file and forces it to disk. Follows no link. */
  public static void write(Path file, String text) throws IOException {
    Uninterrupted.run(() -> writeAndForce(file, text));
  }

  private static void writeAndForce(Path file, String text) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            Set.of(
                StandardOpenOption.WRITE,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                LinkOption.NOFOLLOW_LINKS),
            FileModes.file(file))) {
      channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
      channel.force(true);
    }
  }

  /** Creates a directory with those above it, unless it exists; durable on return. */
  public static void createDirectories(Path directory) throws IOException {
    if (Files.notExists(directory)) {
      Path parent = directory.getParent();
      if (parent != null) {
        createDirectories(parent);
      }
      Files.createDirectories(directory, FileModes.directory(directory));
      if (parent != null) {
        forceDirectory(parent);
      }
    }
  }

  /** Forces the list of a directory's files to disk. */
  public static void forceDirectory(Path directory) throws IOException {
    if (FileModes.isPosix(directory)) {
      Uninterrupted.run(
          () -> {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
              channel.force(true);
            }
          });
    }
  }
}
