package io.rockpool.internal.rocksdb.natives;

import io.rockpool.error.NativeLibraryException;
import io.rockpool.internal.rocksdb.files.FileModes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rocksdb.RocksDB;

/**
 * Loads RocksDB's native code from a permanent copy that all processes of a user share. RocksDB
 * itself would copy 17 MB for each process, and leave the copy behind if the process is killed.
 *
 * <p>The JVM loads a file for one class loader only. If another class loader of this process has
 * loaded the copy, the next copy is used. So there are never more copies than there were class
 * loaders at one time.
 */
public final class NativeLibrary {
  /** More copies than any process has class loaders with RocksDB; limits their disk space. */
  private static final int MAX_COPIES = 16;

  private static final String LOADED_ELSEWHERE = "already loaded in another classloader";

  /** How glibc and musl name a library that is missing. */
  private static final Pattern MISSING =
      Pattern.compile(
          "(\\S+): cannot open shared object file|Error loading shared library (\\S+):");

  private static boolean loaded;

  private NativeLibrary() {}

  /**
   * Checks that RocksDB's classes are on the class path, which users of servers may exclude.
   *
   * @throws NativeLibraryException if they are not
   */
  public static void requireClasses() {
    try {
      Class.forName("org.rocksdb.RocksDB", false, NativeLibrary.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new NativeLibraryException(
          "RocksDB is not on the class path, so no store in a directory can be opened. Add the"
              + " artifact org.rocksdb:rocksdbjni, or use a server's engine or"
              + " Rockpool.inMemory().",
          e);
    }
  }

  /**
   * Loads the code unless already loaded.
   *
   * @param lastResort a directory that is tried, and created, only if the others cannot be used
   * @throws NativeLibraryException if there is no code for this machine, or no directory to load it
   *     from
   */
  public static synchronized void load(Path lastResort) {
    requireClasses();
    if (!loaded) {
      // RocksDB runs "ldd". The JDK's thread for that has the context class loader for a minute,
      // and
      // RocksDB forgets that a thread which waits for it was interrupted.
      Thread thread = Thread.currentThread();
      ClassLoader context = thread.getContextClassLoader();
      thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
      boolean interrupted = Thread.interrupted();
      try {
        load(NativeResource.ofThisMachine(), directories(lastResort));
      } finally {
        thread.setContextClassLoader(context);
        if (interrupted) {
          thread.interrupt();
        }
      }
      loaded = true;
    }
  }

  private static void load(NativeResource library, List<Path> directories) {
    List<String> failures = new ArrayList<>();
    Throwable last = null;
    for (Path directory : directories) {
      try {
        loadFrom(
            library,
            directory,
            /* isLast= */ directory.equals(directories.get(directories.size() - 1)));
        return;
      } catch (IOException | UnsatisfiedLinkError e) {
        failures.add(directory + " (" + e + ")");
        last = e;
      }
    }
    throw new NativeLibraryException(
        "The native code of RocksDB could not be loaded from "
            + String.join(", nor from ", failures)
            + ". "
            + remedy(failures),
        last);
  }

  private static String remedy(List<String> failures) {
    for (String failure : failures) {
      Matcher missing = MISSING.matcher(failure);
      if (missing.find()) {
        return "This system lacks the library "
            + (missing.group(1) == null ? missing.group(2) : missing.group(1))
            + ", which RocksDB needs. Install it; Alpine has it in the package libstdc++.";
      }
    }
    return "Set -Djava.io.tmpdir to a directory that this user may write to and run programs from.";
  }

  /** Loads from a directory that no other user can replace, unless there is no other choice. */
  private static void loadFrom(NativeResource library, Path directory, boolean isLast)
      throws IOException {
    UnsatisfiedLinkError last = null;
    for (int copy = 0; copy < MAX_COPIES; copy++) {
      try {
        Path extracted = library.extractTo(directory, copy);
        if (!isLast && !FileModes.keepsItsName(directory)) {
          throw new IOException("other users may rename files beside it");
        }
        RocksDB.loadLibrary(List.of(extracted.toString()));
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
   * The directories for a copy, in this order: the directory of temporary files; the user's home,
   * if files in the first cannot be executed ({@code noexec}, a read-only root); the last resort,
   * which is always writable.
   */
  private static List<Path> directories(Path lastResort) {
    List<Path> directories = new ArrayList<>();
    directories.add(Path.of(System.getProperty("java.io.tmpdir"), "rockpool-native-" + user()));
    Path home = Path.of(System.getProperty("user.home"));
    if (home.isAbsolute()) { // "?" stands for a user without an account
      directories.add(home.resolve(".cache").resolve("rockpool-native"));
    }
    directories.add(lastResort);
    return directories;
  }

  /** The user's name, or its number if it has no account, as in many containers. */
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
