package io.rockpool.testing.tools;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a test may need beyond a JDK. Whether a tool is there is found out once per JVM. {@code
 * -Drockpool.test.hide=strace,redis} hides tools by their names in small letters; {@code installed}
 * there hides the installed servers, so that those of the artifact repository are used.
 */
public enum Tool {
  REDIS("redis-server", "redis-server"),
  POSTGRESQL("PostgreSQL's initdb and postgres", "postgresql"),
  /** Copies a running server, for a standby. The servers of the artifact repository lack it. */
  PG_BASEBACKUP("PostgreSQL's pg_basebackup", "postgresql"),
  PGBOUNCER("pgbouncer", "pgbouncer"),
  OPENSSL("openssl", "openssl"),
  STRACE("strace, which may trace", "strace"),
  CHROMIUM("chromedriver and Chromium", "chromium chromium-driver"),
  /** May mount a file system in memory. */
  MOUNTS("the right to mount", null),
  /** May mount a file system that is in a file. */
  LOOP_DISKS("the right to mount a loop device, and mkfs.ext4", null),
  /** May become a user whom the modes of files bind, or is one. */
  BOUND_USER("setpriv, or a user other than root", null),
  /** May give files to another user. */
  ROOT("the right to give files away", null),
  /** May make a container of a mount namespace and another user. */
  CONTAINERS("the right to make namespaces", null),
  /** May bound the memory and the processors of a process. */
  CONTROL_GROUPS("the right to make control groups for memory and processors", null);

  private static final String HIDE = "rockpool.test.hide";

  private static final Map<Tool, Optional<Path>> FOUND = new EnumMap<>(Tool.class);

  private final String what;
  private final @Nullable String packages;

  Tool(String what, @Nullable String packages) {
    this.what = what;
    this.packages = packages;
  }

  static boolean isHidden(String name) {
    return Arrays.asList(System.getProperty(HIDE, "").split(",", -1)).contains(name);
  }

  /** Its name in properties. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it is here, may be used, and is not hidden. */
  public boolean isPresent() {
    return find().isPresent();
  }

  private Optional<Path> find() {
    synchronized (FOUND) {
      Optional<Path> known = FOUND.get(this);
      if (known == null) {
        known = isHidden(id()) ? Optional.empty() : Programs.find(this);
        FOUND.put(this, known);
      }
      return known;
    }
  }

  /**
   * Its program. For a server that is several programs it is their directory; for a right that has
   * no program it is the root.
   *
   * @throws AssertionError if it is missing: the test then lacks a {@link Needs}
   */
  public Path program() {
    return find()
        .orElseThrow(
            () -> new AssertionError(missing() + ". Annotate the test with @Needs(" + this + ")."));
  }

  /**
   * Skips a test whose parameter needs this tool, before it opens anything. All other tests have
   * {@link Needs}.
   *
   * @throws AssertionError if the tool is missing and tests may not be skipped
   */
  public void orSkip() {
    if (!isPresent()) {
      if (isRequired()) {
        throw new AssertionError(Needs.REQUIRE_ALL + " requires all tests, but " + missing());
      }
      MissingTools.record(this, 1);
      throw Skip.because(missing());
    }
  }

  /** Whether a test may not be skipped for a missing tool. */
  static boolean isRequired() {
    return Boolean.getBoolean(Needs.REQUIRE_ALL);
  }

  /** What it is. */
  String what() {
    return what;
  }

  /** What is missing. */
  String missing() {
    return "this machine lacks " + what;
  }

  /** How to get it. */
  String remedy() {
    return packages == null
        ? "run the tests as root, outside of a container that forbids it"
        : "apt-get install " + packages;
  }
}
