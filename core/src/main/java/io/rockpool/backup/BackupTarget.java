package io.rockpool.backup;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/**
 * A place for the backups of one store: objects of bytes under names such as {@code
 * files/2c26b46b…}. {@link DirectoryTarget} keeps them in a directory; implement this for another
 * kind of storage. Names have lower-case letters, digits, {@code '.'}, {@code '-'} and one {@code
 * '/'}. Rockpool calls {@link #put} and {@link #delete} only under the {@link #lock}.
 */
public interface BackupTarget {
  /**
   * Acquires the right to change the target, for one thread of one process at a time, until the
   * result is closed. Deletes what killed processes have left.
   *
   * @throws io.rockpool.error.RockpoolException if it is in use, or holds something else
   * @throws IOException if it cannot be reached
   */
  public Closeable lock() throws IOException;

  /**
   * Stores an object, or replaces a damaged one. It is durable on return, and visible only as a
   * whole.
   *
   * @param bytes the length of {@code content}
   * @throws IOException if it was not stored, or {@code content} could not be read
   */
  public void put(String name, long bytes, InputStream content) throws IOException;

  /**
   * Reads an object. The caller closes it.
   *
   * @throws FileNotFoundException or {@link java.nio.file.NoSuchFileException} if there is none
   */
  public InputStream get(String name) throws IOException;

  /**
   * The lengths of the objects in a folder, by name.
   *
   * @param folder the beginning of their names, up to and with the {@code '/'}
   */
  public Map<String, Long> list(String folder) throws IOException;

  /** Deletes an object, if there is one. Durable on return. */
  public void delete(String name) throws IOException;
}
