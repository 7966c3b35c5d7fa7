package io.rockpool.testing.tools;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds programs, and tries what may be forbidden. */
final class Programs {
  static final boolean IS_ROOT = "root".equals(System.getProperty("user.name"));

  private static final long LIMIT_SECONDS = 30;
  private static final Optional<Path> RIGHT = Optional.of(Path.of("/"));
  private static final Pattern NUMBER = Pattern.compile("\\d+");

  /** Where packages have the programs of each version, which are not on the path. */
  private static final List<Path> POSTGRES =
      List.of(Path.of("/usr/lib/postgresql"), Path.of("/usr"), Path.of("/opt/homebrew/opt"));

  private static @Nullable List<String> unprivileged;

  private Programs() {}

  /** The program of a tool; see {@link Tool#program}. */
  static Optional<Path> find(Tool tool) {
    try {
      return switch (tool) {
        case REDIS -> redis();
        case POSTGRESQL -> postgres();
        case PG_BASEBACKUP -> baseBackup();
        case PGBOUNCER -> pgBouncer();
        case OPENSSL -> onPath("openssl");
        case STRACE -> strace();
        case CHROMIUM -> onPath("chromedriver");
        case MOUNTS -> tmpfs();
        case LOOP_DISKS -> loopDisk();
        case BOUND_USER -> boundUser();
        case ROOT -> IS_ROOT ? RIGHT : Optional.empty();
        case CONTAINERS -> container();
        case CONTROL_GROUPS -> ControlGroup.mayBeMade() ? RIGHT : Optional.empty();
      };
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static Optional<Path> onPath(String name) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .filter(place -> !place.isEmpty())
        .map(place -> Path.of(place, name))
        .filter(Programs::isProgram)
        .findFirst();
  }

  /** An empty file that hides a program is none. */
  private static boolean isProgram(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file) && file.toFile().length() > 0;
  }

  private static @Nullable Path named(String property) {
    String value = System.getProperty(property);
    return value == null || value.isEmpty() ? null : Path.of(value);
  }

  private static boolean mayUseInstalled() {
    return !Tool.isHidden("installed");
  }

  private static Optional<Path> redis() throws IOException {
    Path named = named("rockpool.test.redis");
    if (named != null) {
      return Optional.of(named);
    }
    if (mayUseInstalled()) {
      Optional<Path> installed =
          Stream.of("redis-server", "valkey-server")
              .flatMap(program -> onPath(program).stream())
              .findFirst();
      if (installed.isPresent()) {
        return installed;
      }
    }
    return RegistryServers.redis();
  }

  /** The directory of the server's programs. */
  private static Optional<Path> postgres() throws IOException, InterruptedException {
    if (IS_ROOT && unprivileged() == null) {
      return Optional.empty(); // the server refuses to run as root
    }
    Path named = named("rockpool.test.postgresql");
    if (named != null) {
      return Optional.of(Files.isDirectory(named.resolve("bin")) ? named.resolve("bin") : named);
    }
    if (mayUseInstalled()) {
      List<Path> installed = new ArrayList<>();
      for (Path place : POSTGRES) {
        if (Files.isDirectory(place)) {
          try (Stream<Path> versions = Files.list(place)) {
            versions.map(version -> version.resolve("bin")).forEach(installed::add);
          }
        }
      }
      onPath("initdb").map(Path::getParent).ifPresent(installed::add);
      Optional<Path> newest =
          installed.stream()
              .filter(bin -> isProgram(bin.resolve("initdb")) && isProgram(bin.resolve("postgres")))
              .max(Comparator.comparingInt(Programs::version));
      if (newest.isPresent()) {
        return newest;
      }
    }
    return RegistryServers.postgres();
  }

  private static int version(Path bin) {
    Matcher number = NUMBER.matcher(bin.toString());
    return number.find() ? Integer.parseInt(number.group()) : 0;
  }

  private static Optional<Path> baseBackup() {
    return Tool.POSTGRESQL.isPresent()
        ? Optional.of(Tool.POSTGRESQL.program().resolve("pg_basebackup"))
            .filter(Programs::isProgram)
        : Optional.empty();
  }

  private static Optional<Path> pgBouncer() throws InterruptedException {
    if (IS_ROOT && unprivileged() == null) {
      return Optional.empty(); // it refuses to run as root
    }
    return onPath("pgbouncer")
        .or(
            () ->
                Stream.of("/usr/sbin/pgbouncer", "/usr/bin/pgbouncer")
                    .map(Path::of)
                    .filter(Programs::isProgram)
                    .findFirst());
  }

  /** What makes root another user, before a command; null if nothing does. */
  static synchronized @Nullable List<String> unprivileged() throws InterruptedException {
    if (unprivileged == null) {
      unprivileged = findUnprivileged();
    }
    return unprivileged;
  }

  private static @Nullable List<String> findUnprivileged() throws InterruptedException {
    for (List<String> program :
        List.of(
            List.of("setpriv", "--reuid=nobody", "--clear-groups"), List.of("unshare", "--user"))) {
      List<String> trial = new ArrayList<>(program);
      trial.add("true");
      if (run(trial.toArray(String[]::new))) {
        return program;
      }
    }
    return null;
  }

  private static Optional<Path> strace() throws InterruptedException {
    return onPath("strace").isPresent()
            && run("strace", "-f", "--seccomp-bpf", "-qq", "-e", "trace=rmdir", "true")
        ? onPath("strace")
        : Optional.empty();
  }

  private static Optional<Path> right(boolean has) {
    return has ? RIGHT : Optional.empty();
  }

  private static Optional<Path> tmpfs() throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("rockpool-mount");
    try {
      String at = directory.toString();
      return right(
          run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", at)
              && (run("umount", at) || run("umount", "-l", at)));
    } finally {
      Files.delete(directory);
    }
  }

  private static Optional<Path> loopDisk() throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("rockpool-loop");
    Path image = Files.createTempFile("rockpool-loop", ".image");
    try {
      try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
        file.setLength(16L << 20);
      }
      String at = directory.toString();
      return right(
          run("mkfs.ext4", "-q", "-F", image.toString())
              && run("mount", "-o", "loop", image.toString(), at)
              && (run("umount", at) || run("umount", "-l", at)));
    } finally {
      Files.delete(directory);
      Files.delete(image);
    }
  }

  private static Optional<Path> boundUser() throws IOException, InterruptedException {
    if (!IS_ROOT) {
      return RIGHT;
    }
    Path secret = Files.createTempFile("rockpool-secret", "");
    try {
      String drop = "--bounding-set=-dac_override,-dac_read_search";
      return right(
          run("chmod", "000", secret.toString())
              && run("setpriv", drop, "true")
              && !run("setpriv", drop, "cat", secret.toString()));
    } finally {
      Files.delete(secret);
    }
  }

  private static Optional<Path> container() throws InterruptedException {
    String mounts =
        "mount --make-rprivate / && mount -o remount,bind,ro / && mount -t tmpfs tmpfs /tmp"
            + " && exec setpriv --reuid=12345 --regid=12345 --clear-groups --bounding-set=-all"
            + " true";
    return right(run("unshare", "--mount", "sh", "-c", mounts));
  }

  /** Runs a command; says whether there is one and it succeeded. */
  private static boolean run(String... command) throws InterruptedException {
    try {
      Process tried =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!tried.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        tried.destroyForcibly().waitFor();
        return false;
      }
      return tried.exitValue() == 0;
    } catch (IOException e) {
      return false; // there is no such command here
    }
  }
}
