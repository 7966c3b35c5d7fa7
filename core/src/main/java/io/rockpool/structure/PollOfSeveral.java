package io.rockpool.structure;

import io.rockpool.internal.concurrent.WaitingLine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Polls the first of several structures that has elements, with or without a wait.
 *
 * @param sources the structures, in the order in which they are asked
 * @param poll removes elements from one; an empty list means that it has none
 * @param space the space of one
 * @param takers the threads that wait for elements of one
 */
record PollOfSeveral<S, T>(
    List<S> sources,
    Function<S, List<T>> poll,
    Function<S, StructureSpace> space,
    Function<S, WaitingLine> takers) {
  PollOfSeveral {
    sources = List.copyOf(sources);
  }

  /** One attempt, which asks each structure in its own transaction. */
  Optional<Polled<S, T>> now() {
    return Optional.ofNullable(attempt());
  }

  private @Nullable Polled<S, T> attempt() {
    for (S source : sources) {
      List<T> elements = poll.apply(source);
      if (!elements.isEmpty()) {
        return new Polled<>(source, elements);
      }
    }
    return null;
  }

  /** Waits until one of the structures has elements; empty after the timeout. */
  Optional<Polled<S, T>> await(Duration timeout) throws InterruptedException {
    List<StructureSpace> spaces = sources.stream().map(space).toList();
    spaces.forEach(StructureSpace::refuseToWaitInTransaction);
    return Optional.ofNullable(
        WaitingLine.awaitAny(
            sources.stream().map(takers).toList(),
            this::attempt,
            TwoEndedQueue.nanos(timeout),
            () ->
                spaces.stream()
                    .mapToLong(StructureSpace::nanosToLook)
                    .min()
                    .orElse(Long.MAX_VALUE)));
  }
}
