package io.rockpool.structure;

import io.rockpool.store.Registration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners of one structure. */
class StructureListeners<L> {
  private static final Logger LOG = LoggerFactory.getLogger(StructureListeners.class);

  private final StructureSpace space;
  private final List<Place<L>> places = new CopyOnWriteArrayList<>();

  /** One registration. The same listener may have several. */
  private static final class Place<L> {
    final L listener;

    Place(L listener) {
      this.listener = listener;
    }
  }

  StructureListeners(StructureSpace space) {
    this.space = space;
  }

  Registration add(L listener) {
    Place<L> place = new Place<>(Objects.requireNonNull(listener, "listener"));
    space.use();
    places.add(place);
    return () -> places.remove(place);
  }

  /** Whether there is no listener, so that a write need not collect old values. */
  boolean isEmpty() {
    return places.isEmpty();
  }

  /** Calls each listener on this thread after the commit. Exceptions of a listener are logged. */
  void tell(Consumer<L> message) {
    if (!places.isEmpty()) {
      space.afterCommit(() -> places.forEach(place -> tell(place, message)));
    }
  }

  /** These listeners behind an adapter, for a part of the structure. */
  <M> StructureListeners<M> as(Function<? super L, ? extends M> adapter) {
    StructureListeners<L> all = this;
    return new StructureListeners<>(space) {
      @Override
      Registration add(M listener) {
        throw new UnsupportedOperationException("Listeners are added to the whole.");
      }

      @Override
      boolean isEmpty() {
        return all.isEmpty();
      }

      @Override
      void tell(Consumer<M> message) {
        all.tell(listener -> message.accept(adapter.apply(listener)));
      }
    };
  }

  private void tell(Place<L> place, Consumer<L> message) {
    try {
      message.accept(place.listener);
    } catch (RuntimeException | Error e) {
      // The change is committed: an exception here must not look like a failed write.
      LOG.warn("A listener of {} failed; the change is already made.", space, e);
    }
  }
}
