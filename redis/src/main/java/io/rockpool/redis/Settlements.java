package io.rockpool.redis;

import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.internal.engine.BackgroundThread;
import io.rockpool.internal.engine.Upkeep;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Removes entries whose puts were dropped, before their use or on a thread. Thread-safe. */
final class Settlements implements AutoCloseable {
  private static final String THREAD = "rockpool-redis-dropped";

  private final RedisGenerations generations;
  private final DroppedPuts dropped = new DroppedPuts();
  private final AtomicBoolean settling = new AtomicBoolean();
  private final BackgroundThread thread;

  Settlements(RedisGenerations generations, Upkeep upkeep) {
    this.generations = generations;
    this.thread = new BackgroundThread(THREAD, Duration.ofDays(1), () -> {}, upkeep);
  }

  boolean isEmpty() {
    return dropped.isEmpty();
  }

  void add(RedisSpaceState state, Collection<byte[]> hashKeys) {
    dropped.add(state, hashKeys);
  }

  /** Forgets a space, which has been cleared or has ended. */
  void forget(RedisSpaceState state) {
    dropped.forget(state);
  }

  /** Begins to remove all, unless that is being done. */
  void settleSoon(Function<RedisSpaceState, Entries> entriesOf) {
    if (!dropped.isEmpty() && settling.compareAndSet(false, true)) {
      boolean unused = thread.execute(() -> settleAll(entriesOf));
    }
  }

  private void settleAll(Function<RedisSpaceState, Entries> entriesOf) {
    try {
      for (RedisSpaceState state : dropped.spaces()) {
        try {
          settle(entriesOf.apply(state), null);
        } catch (IllegalStateException e) { // it was dropped meanwhile, with its entries
          dropped.forget(state);
        }
      }
    } finally {
      settling.set(false);
    }
  }

  /** Removes those of these entries whose puts were dropped; null for all. */
  void settle(Entries entries, @Nullable Collection<byte[]> hashKeys) {
    if (dropped.isEmpty()) {
      return;
    }
    try {
      settleNow(entries, hashKeys);
    } catch (OutcomeUnknownException e) {
      // The removals are repeated before the next use: this call has not been made.
      throw new ServerUnavailableException(
          "Entries whose puts were dropped cannot be removed: " + e.getMessage(), e);
    }
  }

  private void settleNow(Entries entries, @Nullable Collection<byte[]> hashKeys) {
    RedisSpaceState state = entries.state();
    dropped.settle(
        state,
        hashKeys,
        new DroppedPuts.Remover() {
          @Override
          public void remove(List<byte[]> due) {
            entries.writeAll(due.stream().map(entries::delete).toList());
            entries.changed(due);
          }

          @Override
          public void removeAll() {
            generations.replaceAll(state);
          }
        });
  }

  @Override
  public void close() {
    thread.close();
  }
}
