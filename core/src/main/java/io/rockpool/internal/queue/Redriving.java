package io.rockpool.internal.queue;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.internal.format.QueueAttempts;
import io.rockpool.internal.format.QueueDeath;
import io.rockpool.internal.queue.QueueRow.Outgoing;
import io.rockpool.queue.QueuedMessage;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call that sends dead letters again. It considers those that were there at its start: a letter
 * that dies again meanwhile has a higher id, one that comes back meanwhile a later due time.
 */
final class Redriving<T> {
  private static final Logger LOG = LoggerFactory.getLogger(Redriving.class);

  /** Dead letters that are read at a time. */
  private static final int LETTERS_PER_PAGE = 64;

  private final QueueStore queue;
  private final QueueStore letters;
  private final MessageCodec<T> codec;
  private final Predicate<? super QueuedMessage<T>> filter;
  private final long pauseNanos;
  private final long endId;
  private final long endMillis;
  private long moved;
  private boolean isFull;
  private boolean hasLogged;

  Redriving(
      QueueStore queue,
      QueueStore letters,
      MessageCodec<T> codec,
      Predicate<? super QueuedMessage<T>> filter,
      long pauseNanos) {
    this.queue = queue;
    this.letters = letters;
    this.codec = codec;
    this.filter = filter;
    this.pauseNanos = pauseNanos;
    this.endId = letters.head().nextId();
    this.endMillis = letters.space().nowMillis();
  }

  /** Moves what the filter accepts until the queue is full; returns how many letters it moved. */
  long run() throws InterruptedException {
    moveDue();
    moveFresh();
    return moved;
  }

  /** Moves letters that came back from a consumer, or that were delayed. */
  private void moveDue() throws InterruptedException {
    QueueAttempts last = null;
    List<QueueAttempts> page;
    do {
      page = letters.due(last, LETTERS_PER_PAGE);
      for (QueueAttempts due : page) {
        if (isFull || due.dueMillis() > endMillis) {
          return;
        }
        last = due;
        if (due.id() < endId) {
          moveAll(letters.show(due));
        }
      }
    } while (page.size() == LETTERS_PER_PAGE);
  }

  private void moveFresh() throws InterruptedException {
    long from = 0;
    List<Taken> page;
    do {
      page = letters.page(from, LETTERS_PER_PAGE);
      from = page.isEmpty() ? endId : page.get(page.size() - 1).attempts().id() + 1;
      moveAll(page);
    } while (!isFull && from < endId);
  }

  private void moveAll(List<Taken> page) throws InterruptedException {
    for (Taken taken : page) {
      if (isFull || taken.attempts().id() >= endId) {
        return;
      }
      if (move(new StoredMessage<>(codec, taken))) {
        moved++;
        TimeUnit.NANOSECONDS.sleep(pauseNanos);
      }
    }
  }

  /** Moves a letter that the filter accepts, unless another thread has it by now. */
  private boolean move(StoredMessage<T> letter) {
    QueueDeath death = letter.record().death();
    if (death == null || !death.queue().equals(queue.space().name()) || !accepts(letter)) {
      return false;
    }
    List<Outgoing> again = List.of(MessageCodec.again(letter.record(), death));
    return queue
        .space()
        .engine()
        .atomically(
            () -> {
              isFull = !queue.hasRoom();
              boolean removed = !isFull && letters.removeShown(letter.taken());
              if (removed && queue.send(again) == null) {
                throw new IllegalStateException(
                    queue.space() + " became full while a dead letter was sent to it.");
              }
              return removed;
            });
  }

  /** A letter that cannot be decoded is accepted only by a filter that does not look at it. */
  private boolean accepts(StoredMessage<T> letter) {
    try {
      return filter.test(letter);
    } catch (UndecodableValueException e) {
      if (letter.isDecodable()) {
        throw e;
      }
      if (!hasLogged) {
        LOG.warn(
            "{} It stays a dead letter; a filter that does not read its message can move it.",
            e.getMessage());
      }
      hasLogged = true;
      return false;
    }
  }
}
