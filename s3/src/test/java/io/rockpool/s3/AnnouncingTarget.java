package io.rockpool.s3;

import io.rockpool.backup.BackupTarget;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/** Prints a line before each object that it puts or deletes, so that a test knows how far it is. */
record AnnouncingTarget(BackupTarget target) implements BackupTarget {
  @Override
  public Closeable lock(String name) throws IOException {
    return target.lock(name);
  }

  @Override
  public void put(String name, long bytes, InputStream content) throws IOException {
    System.out.println("puts " + name + " " + bytes);
    target.put(name, bytes, content);
  }

  @Override
  public InputStream get(String name) throws IOException {
    return target.get(name);
  }

  @Override
  public Map<String, Long> list(String folder) throws IOException {
    return target.list(folder);
  }

  @Override
  public void delete(String name) throws IOException {
    System.out.println("deletes " + name);
    target.delete(name);
  }
}
