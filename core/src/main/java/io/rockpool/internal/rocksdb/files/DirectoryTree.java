package io.rockpool.internal.rocksdb.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** A directory and everything below it. */
public final class DirectoryTree {
  private DirectoryTree() {}

  /**
   * Deletes a directory and its content. What another thread deletes meanwhile is no error. Follows
   * no links. Where the system can do so, it deletes by open directories, not by paths, so a
   * directory that is replaced by a link meanwhile does not lead it elsewhere.
   */
  public static void delete(Path directory) throws IOException {
    Path absolute = directory.toAbsolutePath();
    Path parent = absolute.getParent();
    Path name = absolute.getFileName();
    if (parent == null || name == null) {
      deleteByPath(directory);
      return;
    }
    try (DirectoryStream<Path> siblings = Files.newDirectoryStream(parent)) {
      if (siblings instanceof SecureDirectoryStream<Path> secure) {
        delete(secure, name);
        return;
      }
    } catch (AccessDeniedException e) {
      if (Files.isReadable(parent)) {
        throw e;
      }
      // A parent that this process may search and write, and not list.
    } catch (NoSuchFileException e) {
      return;
    }
    deleteByPath(directory);
  }

  /** Deletes a child of an open directory, with its content. */
  static void delete(SecureDirectoryStream<Path> parent, Path name) throws IOException {
    try {
      boolean isDirectory =
          parent
              .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
              .readAttributes()
              .isDirectory();
      if (!isDirectory) {
        parent.deleteFile(name);
        return;
      }
      try (SecureDirectoryStream<Path> directory =
          parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
        deleteContent(directory);
      }
      parent.deleteDirectory(name);
    } catch (NoSuchFileException e) {
      // Another thread has deleted it.
    }
  }

  /** Deletes everything in an open directory. */
  static void deleteContent(SecureDirectoryStream<Path> directory) throws IOException {
    try {
      for (Path child : directory) {
        delete(directory, child.getFileName());
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  private static void deleteByPath(Path directory) throws IOException {
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path it, @Nullable IOException e)
              throws IOException {
            Files.deleteIfExists(it);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
