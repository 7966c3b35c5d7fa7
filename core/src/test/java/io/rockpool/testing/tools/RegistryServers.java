package io.rockpool.testing.tools;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Servers from the artifact repository, where a module has them among the dependencies of its
 * tests. They are unpacked once per user and version.
 */
final class RegistryServers {
  private static final String REDIS_VERSION = "7.0.15";
  private static final int TAR_BLOCK = 512;

  private RegistryServers() {}

  private static String system() {
    String name = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    return name.startsWith("mac") ? "darwin" : name.startsWith("linux") ? "linux" : name;
  }

  private static boolean isArm() {
    return "aarch64".equals(System.getProperty("os.arch"));
  }

  static Optional<Path> redis() throws IOException {
    String name =
        "redis-server-" + REDIS_VERSION + '-' + system() + '-' + (isArm() ? "arm64" : "amd64");
    try (InputStream program = resource(name)) {
      if (program == null) {
        return Optional.empty();
      }
      Path unpacked =
          unpackedOnce(
              name,
              directory -> {
                Path file = directory.resolve("redis-server");
                Files.copy(program, file);
                if (!file.toFile().setExecutable(true, false)) {
                  throw new IOException("The program cannot be made executable: " + file);
                }
              });
      return Optional.of(unpacked.resolve("redis-server"));
    }
  }

  static Optional<Path> postgres() throws IOException {
    String name = "postgres-" + system() + '-' + (isArm() ? "arm_64" : "x86_64") + ".txz";
    try (InputStream archive = resource(name)) {
      if (archive == null) {
        return Optional.empty();
      }
      // The version is only in the name of the archive's jar.
      String version = Integer.toHexString(String.valueOf(loader().getResource(name)).hashCode());
      Path unpacked =
          unpackedOnce("postgres-" + version, directory -> untar(unxz(archive), directory));
      return Optional.of(unpacked.resolve("bin"));
    }
  }

  private static ClassLoader loader() {
    return RegistryServers.class.getClassLoader();
  }

  private static @Nullable InputStream resource(String name) {
    return loader().getResourceAsStream(name);
  }

  /** The library is a dependency of the modules alone that have the archive. */
  private static InputStream unxz(InputStream compressed) throws IOException {
    try {
      return Class.forName("org.tukaani.xz.XZInputStream")
          .asSubclass(InputStream.class)
          .getConstructor(InputStream.class)
          .newInstance(compressed);
    } catch (InvocationTargetException e) {
      throw new IOException("The archive of PostgreSQL cannot be read.", e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IOException("The archive of PostgreSQL needs org.tukaani:xz on the class path.", e);
    }
  }

  private interface Unpacking {
    void into(Path directory) throws IOException;
  }

  /** In a directory that other users can read: root's server runs as one of them. */
  private static Path unpackedOnce(String name, Unpacking unpacking) throws IOException {
    Path all =
        Path.of(Programs.IS_ROOT ? "/tmp" : System.getProperty("java.io.tmpdir"))
            .resolve("rockpool-servers-" + System.getProperty("user.name"));
    Files.createDirectories(all);
    String owner = Files.getOwner(all).getName();
    if (!owner.equals(System.getProperty("user.name"))) {
      throw new IOException("The directory " + all + " is " + owner + "'s. Remove it.");
    }
    Path place = all.resolve(name);
    if (Files.isDirectory(place)) {
      return place;
    }
    Path made = Files.createTempDirectory(all, "unpacking");
    unpacking.into(made);
    readable(made);
    readable(all);
    try {
      Files.move(made, place, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileAlreadyExistsException | DirectoryNotEmptyException e) {
      Processes.delete(made); // another process was faster
    }
    return place;
  }

  private static void readable(Path directory) throws IOException {
    if (!directory.toFile().setExecutable(true, false)
        || !directory.toFile().setReadable(true, false)) {
      throw new IOException("The directory cannot be made readable: " + directory);
    }
  }

  private static void untar(InputStream tar, Path directory) throws IOException {
    DataInputStream in = new DataInputStream(tar);
    byte[] header = new byte[TAR_BLOCK];
    while (true) {
      in.readFully(header);
      String name = text(header, 0, 100);
      if (name.isEmpty()) {
        return;
      }
      String prefix = text(header, 345, 155);
      Path file = directory.resolve(prefix.isEmpty() ? name : prefix + '/' + name).normalize();
      if (!file.startsWith(directory)) {
        throw new IOException("The archive has a file outside of its directory: " + name);
      }
      long size = octal(header, 124, 12);
      Files.createDirectories(header[156] == '5' ? file : file.getParent());
      switch (header[156]) {
        case '5' -> readable(file);
        case '2' -> Files.createSymbolicLink(file, Path.of(text(header, 157, 100)));
        case '0', 0 -> {
          Files.write(file, in.readNBytes((int) size));
          boolean readable = file.toFile().setReadable(true, false);
          boolean isProgram = (octal(header, 100, 8) & 0111) != 0;
          if (!readable || (isProgram && !file.toFile().setExecutable(true, false))) {
            throw new IOException("The mode of a file cannot be set: " + file);
          }
          in.skipNBytes((TAR_BLOCK - size % TAR_BLOCK) % TAR_BLOCK);
        }
        default -> throw new IOException("The archive has an entry of an unknown type: " + name);
      }
    }
  }

  private static String text(byte[] header, int from, int length) throws EOFException {
    int end = from;
    while (end < from + length && header[end] != 0) {
      end++;
    }
    return new String(header, from, end - from, StandardCharsets.UTF_8);
  }

  private static long octal(byte[] header, int from, int length) throws IOException {
    String digits = text(header, from, length).strip();
    return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
  }
}
