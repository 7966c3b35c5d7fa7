package io.rockpool.testing;

import io.rockpool.testing.tools.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file system in memory, which a test may fill and set read-only. */
public final class Tmpfs implements AutoCloseable {
  private final Path directory;

  private Tmpfs(Path directory) {
    this.directory = directory;
  }

  /** Mounts one. */
  public static Tmpfs mount(Path directory, int mebibytes)
      throws IOException, InterruptedException {
    Path unused = Tool.MOUNTS.program();
    Files.createDirectories(directory);
    boolean mounted =
        run("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", directory.toString());
    if (!mounted) {
      throw new IOException("could not mount " + directory);
    }
    return new Tmpfs(directory);
  }

  public Path directory() {
    return directory;
  }

  public void setReadOnly(boolean readOnly) throws IOException, InterruptedException {
    String mode = readOnly ? "remount,ro" : "remount,rw";
    if (!run("mount", "-o", mode, directory.toString())) {
      throw new IOException("could not " + mode + " " + directory);
    }
  }

  public void resize(int mebibytes) throws IOException, InterruptedException {
    if (!run("mount", "-o", "remount,size=" + mebibytes + "m", directory.toString())) {
      throw new IOException("could not resize " + directory);
    }
  }

  /** Lets it have so many files and directories at most. */
  public void limitFiles(int count) throws IOException, InterruptedException {
    if (!run("mount", "-o", "remount,nr_inodes=" + count, directory.toString())) {
      throw new IOException("could not limit the files of " + directory);
    }
  }

  /** Runs a command; says whether there is one and it succeeded. */
  public static boolean run(String... command) throws IOException, InterruptedException {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false; // there is no such command here
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    if (!run("umount", directory.toString())) {
      run("umount", "-l", directory.toString());
    }
  }
}
