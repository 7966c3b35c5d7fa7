package io.rockpool.structure;

import io.rockpool.Rockpool;
import io.rockpool.engine.Engine;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.internal.access.Internals;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A store that a test of structures runs on, on one of the engines: open from the start, and opened
 * again on the same data whenever the test wants.
 */
public final class StoreUnderTest implements AutoCloseable {
  /** What every test of structures runs on. */
  public enum Kind {
    /** A server in place of memory, where tests provide {@link TestServer one}. */
    MEMORY,
    /**
     * With an adversary, which runs transactions twice and shows scans what comes meanwhile. It is
     * open twice: {@link #crash} continues with the other handle.
     */
    ADVERSARIAL,
    ROCKSDB
  }

  private static final long ADVERSARY_SEED = 1;

  /** So little that records go and come. */
  private static final long ROW_MEMORY_BYTES = 64 << 10;

  public final FakeClock clock = new FakeClock();

  /** Opens a handle of the data on a server; null for the engines of this module. */
  private final Function<? super FakeClock, Engine> server;

  private Path directory;
  private int crashes;
  private Engine engine;
  private Rockpool pool;
  private Engine otherEngine;
  private Rockpool otherPool;

  /** Opens an empty store; one on disk in a new directory in {@code parent}. */
  public StoreUnderTest(Kind kind, Path parent) {
    this.server =
        kind == Kind.ROCKSDB ? null : TestServer.provided().map(TestServer::newStore).orElse(null);
    this.directory = parent.resolve("store");
    if (server != null) {
      this.engine = server.apply(clock);
      this.pool = Rockpool.at(o -> engine).open();
      if (kind == Kind.ADVERSARIAL) {
        openOther();
      }
      return;
    }
    this.engine =
        switch (kind) {
          case MEMORY -> MemoryEngine.builder().clock(clock).build();
          case ADVERSARIAL ->
              MemoryEngine.builder().clock(clock).adversary(ADVERSARY_SEED).shared().build();
          case ROCKSDB -> onDisk();
        };
    this.pool = Rockpool.at(o -> engine).open();
    if (kind == Kind.ADVERSARIAL) {
      otherEngine = ((MemoryEngine) engine).openAnother();
      otherPool = Rockpool.at(o -> otherEngine).open();
    }
  }

  /**
   * A store of an engine of another module, which is open twice, as {@link Kind#ADVERSARIAL} is.
   *
   * @param server opens a handle of the same data, by the clock
   */
  public StoreUnderTest(Function<FakeClock, Engine> server) {
    this.server = server;
    this.engine = server.apply(clock);
    this.pool = Rockpool.at(o -> engine).open();
    openOther();
  }

  private void openOther() {
    this.otherEngine = server.apply(clock);
    this.otherPool = Rockpool.at(o -> otherEngine).open();
  }

  private Engine onDisk() {
    return RocksDbEngine.open(
        directory, RocksDbOptions.builder().clock(clock).rowMemoryBytes(ROW_MEMORY_BYTES).build());
  }

  /** The open engine, as the structures see it. */
  public Engine engine() {
    return Internals.store(pool).engine();
  }

  /** The open store. */
  public Rockpool pool() {
    return pool;
  }

  /** Closes the store and opens it again. */
  public Rockpool reopen() {
    pool.close();
    if (server != null) {
      engine = server.apply(clock);
    } else {
      engine = engine instanceof MemoryEngine memory ? memory.reopen() : onDisk();
    }
    pool = Rockpool.at(o -> engine).open();
    return pool;
  }

  /**
   * As {@link #reopen}, but of what is on disk at this moment, as after the death of the process.
   * In memory there is no difference, except that another handle takes over.
   */
  public Rockpool crash() {
    if (otherPool != null) {
      Rockpool before = pool;
      Engine engineBefore = engine;
      pool = otherPool;
      engine = otherEngine;
      otherPool = before;
      otherEngine = engineBefore;
      return pool;
    }
    if (server != null || engine instanceof MemoryEngine) {
      return reopen();
    }
    Path copy = directory.resolveSibling("crash-" + crashes++);
    while (!copy(directory, copy)) {
      copy = directory.resolveSibling("crash-" + crashes++);
    }
    pool.close();
    directory = copy;
    engine = onDisk();
    pool = Rockpool.at(o -> engine).open();
    return pool;
  }

  /** Says whether the copy is good: none of the files came or went meanwhile. */
  private static boolean copy(Path from, Path to) {
    try {
      List<Path> files = files(from);
      for (Path file : files) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
      return files.equals(files(from));
    } catch (NoSuchFileException | UncheckedIOException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.sorted().toList();
    }
  }

  @Override
  public void close() {
    pool.close();
    if (otherPool != null) {
      otherPool.close();
    }
  }
}
