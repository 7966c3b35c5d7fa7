package io.rockpool.structure;

import io.rockpool.engine.SpaceSnapshot;
import java.time.Instant;
import java.util.function.Function;

/**
 * A structure as it was at one instant: unchanging, for reading only, and whole, transactions
 * included. Thread-safe.
 *
 * <p>It must be closed: until then the store keeps on disk what was replaced since. Once it or its
 * store is closed, every use of the view throws {@link IllegalStateException}.
 *
 * @param <T> as what it is seen
 */
public final class Snapshot<T> implements AutoCloseable {
  private final SpaceSnapshot space;
  private final T view;

  /** A snapshot, which closes {@code space}. */
  Snapshot(SpaceSnapshot space, Function<SpaceSnapshot, T> view) {
    this.space = space;
    this.view = view.apply(space);
  }

  /** The structure as it was. Every attempt to change it is an UnsupportedOperationException. */
  public T view() {
    return view;
  }

  /** The instant it was taken at, by the store's clock. What had expired then is not seen. */
  public Instant taken() {
    return Instant.ofEpochMilli(space.takenMillis());
  }

  /** Lets go of what it holds. A second call does nothing. */
  @Override
  public void close() {
    space.close();
  }
}
