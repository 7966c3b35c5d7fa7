package io.rockpool.internal.rocksdb.natives;

import io.rockpool.error.StoreIoException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.RocksDB;

/**
 * Loads RocksDB's native code from a copy that all processes of a user share, and that stays.
 * RocksDB's own way makes one of 17 MB for each process, and leaves it behind where the process is
 * killed.
 *
 * <p>The Java virtual machine loads a file for one class loader only. So where another one of this
 * process has loaded the copy, the next copy is taken; there are never more of them than there were
 * class loaders at one time.
 */
public final class NativeLibrary {
  /**
   * More copies than any process has class loaders with a RocksDB of their own; bounds what they
   * take on disk.
   */
  private static final int MAX_COPIES = 16;

  private static final String LOADED_ELSEWHERE = "already loaded in another classloader";

  private static boolean loaded;

  private NativeLibrary() {}

  /**
   * Loads it, if that has not been done yet.
   *
   * @param lastResort a directory that is tried, and created, only where the others cannot be used
   * @throws StoreIoException if there is none for this machine, or no directory to load it from
   */
  public static synchronized void load(Path lastResort) {
    if (!loaded) {
      load(NativeResource.ofThisMachine(), directories(lastResort));
      loaded = true;
    }
  }

  private static void load(NativeResource library, List<Path> directories) {
    List<String> failures = new ArrayList<>();
    Throwable last = null;
    for (Path directory : directories) {
      try {
        loadFrom(library, directory);
        return;
      } catch (IOException | UnsatisfiedLinkError e) {
        failures.add(directory + " (" + e + ")");
        last = e;
      }
    }
    throw new StoreIoException(
        "The native code of RocksDB could not be loaded from "
            + String.join(", nor from ", failures)
            + ". Set -Djava.io.tmpdir to a directory that this user may write to and run programs from.",
        last);
  }

  private static void loadFrom(NativeResource library, Path directory) throws IOException {
    UnsatisfiedLinkError last = null;
    for (int copy = 0; copy < MAX_COPIES; copy++) {
      try {
        RocksDB.loadLibrary(List.of(library.extractTo(directory, copy).toString()));
        return;
      } catch (UnsatisfiedLinkError e) {
        last = e;
        if (!String.valueOf(e.getMessage()).contains(LOADED_ELSEWHERE)) {
          throw e;
        }
      }
    }
    throw new IOException("all " + MAX_COPIES + " copies are in use", last);
  }

  /**
   * Where a copy may be kept: beside other temporary files; where those cannot be run (a file
   * system mounted {@code noexec}, a read-only root), in the user's home; and at last beside the
   * store, which can be written to in any case.
   */
  private static List<Path> directories(Path lastResort) {
    List<Path> directories = new ArrayList<>();
    directories.add(Path.of(System.getProperty("java.io.tmpdir"), "rockpool-native-" + user()));
    Path home = Path.of(System.getProperty("user.home"));
    if (home.isAbsolute()) { // "?" is what the JVM says of a user without an account
      directories.add(home.resolve(".cache").resolve("rockpool-native"));
    }
    directories.add(lastResort);
    return directories;
  }

  /** The user's name, or its number where it has no account, as in many containers. */
  private static String user() {
    String name = System.getProperty("user.name");
    if (name.equals("?")) {
      try {
        name = "uid-" + Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
        name = "unknown";
      }
    }
    return name.replaceAll("[^A-Za-z0-9._-]", "_");
  }
}
