package io.rockpool.cli;

import io.rockpool.Rockpool;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The store that the pages show: a copy that a newer one replaces, or a server. Thread-safe. */
final class UiStore implements AutoCloseable {
  private final Supplier<Rockpool> opener;
  private @Nullable Rockpool pool;
  private Instant opened;

  UiStore(Supplier<Rockpool> opener) {
    this.opener = opener;
    this.opened = now();
    this.pool = opener.get();
  }

  /** A moment before a copy is made, which has all that was written until then. */
  private static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS);
  }

  /** Reads the store; the reader gets the time of the copy, too. One read at a time. */
  synchronized <R extends @Nullable Object> R read(BiFunction<Rockpool, Instant, R> reader) {
    if (pool == null) {
      throw new IllegalStateException("The command has ended.");
    }
    return reader.apply(pool, opened);
  }

  /** Opens the store as it is now. If that fails, the pages show what they showed before. */
  synchronized void refresh() {
    Rockpool old = pool;
    if (old == null) {
      return;
    }
    Instant moment = now();
    pool = opener.get();
    opened = moment;
    old.close();
  }

  @Override
  public synchronized void close() {
    Rockpool old = pool;
    pool = null;
    if (old != null) {
      old.close();
    }
  }
}
