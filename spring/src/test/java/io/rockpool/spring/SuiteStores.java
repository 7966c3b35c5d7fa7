package io.rockpool.spring;

import io.rockpool.Rockpool;
import io.rockpool.RockpoolBuilder;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.testing.FakeClock;
import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The stores of the suites: in directories or in memory or, if the system property {@value #SERVER}
 * is set, on a server.
 */
public final class SuiteStores {
  /** What the URI of a store on the server begins with; the name of the store follows. */
  public static final String SERVER = "rockpool.test.uri";

  private SuiteStores() {}

  /** Whether the stores are on a server. */
  public static boolean areOnServer() {
    return System.getProperty(SERVER) != null;
  }

  private static @Nullable URI onServer(String name) {
    String server = System.getProperty(SERVER);
    return server == null ? null : URI.create(server + name);
  }

  private static @Nullable URI onServer(Path directory) {
    return onServer(
        "s" + directory.toString().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_"));
  }

  private static @Nullable URI newOnServer() {
    return onServer("s" + UUID.randomUUID().toString().replace('-', '_'));
  }

  /** A builder of the store in a directory, or of the one on the server that takes its place. */
  public static RockpoolBuilder at(Path directory) {
    URI uri = onServer(directory);
    return uri == null ? Rockpool.at(directory) : Rockpool.at(uri);
  }

  /** Opens the store in a directory, or the one on the server that takes its place. */
  public static Rockpool open(Path directory) {
    return at(directory).open();
  }

  /** Opens an empty store by a clock, in memory or on the server. */
  public static Rockpool open(FakeClock clock) {
    URI uri = newOnServer();
    return uri == null
        ? Rockpool.at(o -> MemoryEngine.builder().clock(clock).build()).open()
        : Rockpool.at(uri).clock(clock).open();
  }

  /** The URI of an empty store, in memory or on the server; each opening is another handle. */
  static URI newUri() {
    URI uri = newOnServer();
    return uri == null ? URI.create("memory://" + UUID.randomUUID()) : uri;
  }

  /** Opens an empty store, in memory or on the server. */
  public static Rockpool openNew() {
    URI uri = newOnServer();
    return uri == null ? Rockpool.inMemory() : Rockpool.open(uri);
  }

  /** The property of an application whose store is in a directory or, instead, on the server. */
  public static String property(Path directory) {
    URI uri = onServer(directory);
    return uri == null ? "rockpool.directory=" + directory : "rockpool.uri=" + uri;
  }

  /**
   * The property of an application with a temporary store or, instead, an empty one on the server.
   */
  public static String newProperty() {
    URI uri = newOnServer();
    return uri == null ? "rockpool.directory=temporary" : "rockpool.uri=" + uri;
  }
}
