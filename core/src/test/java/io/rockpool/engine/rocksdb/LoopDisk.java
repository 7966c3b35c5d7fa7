package io.rockpool.engine.rocksdb;

import io.rockpool.testing.Tmpfs;
import io.rockpool.testing.tools.Tool;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/** An ext4 file system in a file, which a test may let turn read-only while files are open. */
final class LoopDisk implements AutoCloseable {
  private static final long BYTES = 64L << 20;

  private final Path image;
  private final Path directory;

  private LoopDisk(Path image, Path directory) {
    this.image = image;
    this.directory = directory;
  }

  /** Mounts a new one. */
  static LoopDisk mount(Path parent) throws IOException, InterruptedException {
    return mount(parent, "has_journal");
  }

  /**
   * As {@link #mount}, of a disk that takes space in {@code parent} only for what is written to it:
   * where there is none, a write is taken all the same, and what fails is to force it to the disk.
   */
  static LoopDisk mountThin(Path parent) throws IOException, InterruptedException {
    return mount(parent, "^has_journal");
  }

  private static LoopDisk mount(Path parent, String features)
      throws IOException, InterruptedException {
    Path unused = Tool.LOOP_DISKS.program();
    Path image = parent.resolve("image");
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(BYTES);
    }
    LoopDisk disk = new LoopDisk(image, Files.createDirectories(parent.resolve("disk")));
    boolean mounted =
        Tmpfs.run("mkfs.ext4", "-q", "-F", "-O", features, image.toString()) && disk.mountImage();
    if (!mounted) {
      throw new IOException("could not mount " + image);
    }
    return disk;
  }

  private boolean mountImage() throws IOException, InterruptedException {
    return Tmpfs.run("mount", "-o", "loop", image.toString(), directory.toString());
  }

  Path directory() {
    return directory;
  }

  /** Does what the kernel does to a file system when its disk fails: no more is written. */
  void fail() throws IOException, InterruptedException {
    if (!Tmpfs.run("mount", "-o", "remount,abort", directory.toString())) {
      throw new IOException("could not let " + directory + " fail");
    }
  }

  /** Mounts it again as it is on its disk, once nobody has files open. */
  void repair() throws IOException, InterruptedException {
    if (!Tmpfs.run("umount", directory.toString())) {
      throw new IOException("could not unmount " + directory);
    }
    Tmpfs.run("fsck.ext4", "-p", image.toString()); // says what it has mended by its exit code
    if (!mountImage()) {
      throw new IOException("could not mount " + image);
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    if (!Tmpfs.run("umount", directory.toString())) {
      Tmpfs.run("umount", "-l", directory.toString());
    }
  }
}
