package io.rockpool.backup;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/**
 * A place for the backups of one store: objects of bytes under names such as {@code
 * files/2c26b46b…}. {@link DirectoryTarget} keeps them in a directory; implement this for another
 * kind of storage. Names have at most 200 lower-case letters, digits, {@code '.'}, {@code '-'}, and
 * one {@code '/'}. Rockpool puts objects into the folders {@code backups/} and {@code files/} only
 * under the lock {@link #BACKUPS}, and into {@code log/} only under the lock {@link #LOG}.
 */
public interface BackupTarget {
  /** The lock under which backups are made and deleted: {@value}. */
  public static final String BACKUPS = "backups";

  /** The lock under which a log is shipped: {@value}. */
  public static final String LOG = "log";

  /**
   * Acquires a lock, for one process and once at a time, until the result is closed. Different
   * locks may be held at the same time. Deletes what killed holders of this lock have left.
   *
   * @param name {@link #BACKUPS} or {@link #LOG}
   * @throws io.rockpool.error.RockpoolException if it is in use, or holds something else
   * @throws IOException if it cannot be reached
   */
  public Closeable lock(String name) throws IOException;

  /**
   * Stores an object, or replaces a damaged one. Thread-safe. It is durable on return, and visible
   * only as a whole.
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
