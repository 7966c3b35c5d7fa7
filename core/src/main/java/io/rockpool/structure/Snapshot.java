package io.rockpool.structure;

import io.rockpool.engine.SpaceSnapshot;
import java.time.Instant;
import java.util.function.Function;

/**
 * A read-only view of a structure at one instant. It shows each transaction completely or not at
 * all. Thread-safe.
 *
 * <pre>{@code
 * try (Snapshot<Map<String, Long>> before = stock.snapshot()) {
 *   stock.clear();
 *   before.view().get("apple"); // 5
 * }
 * }</pre>
 *
 * <p>It must be closed: until then the store keeps replaced data on disk. After it or its store is
 * closed, every use of the view throws {@link IllegalStateException}.
 *
 * @param <T> the type of the view
 */
public final class Snapshot<T> implements AutoCloseable {
  private final SpaceSnapshot space;
  private final T view;

  /** Creates a snapshot that owns {@code space} and closes it. */
  Snapshot(SpaceSnapshot space, Function<SpaceSnapshot, T> view) {
    this.space = space;
    this.view = view.apply(space);
  }

  /** The structure at that instant. Changing it throws UnsupportedOperationException. */
  public T view() {
    return view;
  }

  /**
   * When the snapshot was taken, by the store's clock. Elements that had expired then are not
   * visible.
   */
  public Instant taken() {
    return Instant.ofEpochMilli(space.takenMillis());
  }

  /** Releases the snapshot. A second call does nothing. */
  @Override
  public void close() {
    space.close();
  }
}
