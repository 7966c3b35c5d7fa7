package io.rockpool.testing;

import io.rockpool.queue.QueuedMessage;
import io.rockpool.store.Registration;
import io.rockpool.structure.PersistentStructure;
import io.rockpool.structure.Polled;
import io.rockpool.structure.Snapshot;
import io.rockpool.structure.TableView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Spliterator;
import java.util.concurrent.CompletableFuture;
import java.util.stream.BaseStream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The answers of operations as texts that can be compared, also if they are lazy. */
final class Answers {
  private final long begunMillis;

  /** Shows times as what has passed since a time. */
  Answers(long begunMillis) {
    this.begunMillis = begunMillis;
  }

  /** The text of an answer. Reads what is lazy, and closes what is open. */
  String of(@Nullable Object answer) {
    if (answer instanceof Optional<?> optional) {
      return optional.map(value -> "some " + of(value)).orElse("none");
    }
    if (answer instanceof Instant instant) {
      return "begin+" + Duration.ofMillis(instant.toEpochMilli() - begunMillis);
    }
    if (answer instanceof Snapshot<?> snapshot) {
      String text = of(snapshot.view());
      snapshot.close();
      return text;
    }
    if (answer instanceof Registration registration) {
      registration.close();
      return "registration";
    }
    if (answer instanceof CompletableFuture<?> future) {
      return of(
          future.handle((value, failure) -> failure == null ? value : failure.toString()).join());
    }
    if (answer instanceof TableView<?, ?, ?> table && !(answer instanceof PersistentStructure)) {
      return of(table.stream());
    }
    if (answer instanceof Polled<?, ?> polled) {
      return "polled " + of(polled.elements());
    }
    if (answer instanceof QueuedMessage<?> message) {
      return message.message() + " x" + message.deliveries();
    }
    if (answer instanceof Map.Entry<?, ?> entry) {
      return of(entry.getKey()) + "=" + of(entry.getValue());
    }
    if (answer instanceof PersistentStructure structure && !(answer instanceof Iterable<?>)) {
      return structure.name();
    }
    Iterator<?> each = all(answer);
    return each == null ? String.valueOf(answer).replaceAll("@\\p{XDigit}+$", "") : listed(each);
  }

  private String listed(Iterator<?> each) {
    List<String> texts = new ArrayList<>();
    each.forEachRemaining(one -> texts.add(of(one)));
    return texts.toString();
  }

  private static @Nullable Iterator<?> all(@Nullable Object answer) {
    if (answer instanceof Map<?, ?> map) {
      return map.entrySet().iterator();
    }
    if (answer instanceof Iterable<?> iterable) {
      return iterable.iterator();
    }
    if (answer instanceof BaseStream<?, ?> stream) {
      return stream.iterator();
    }
    if (answer instanceof Spliterator<?> spliterator) {
      return StreamSupport.stream(spliterator, false).iterator();
    }
    if (answer instanceof Object[] array) {
      return Arrays.asList(array).iterator();
    }
    return answer instanceof Iterator<?> iterator ? iterator : null;
  }

  /** What an operation has put into its arguments. */
  String filled(List<@Nullable Object> arguments) {
    StringBuilder text = new StringBuilder();
    for (Object argument : arguments) {
      if (argument instanceof Collection<?> collection && argument instanceof ArrayList<?>) {
        text.append(" filling ").append(of(collection));
      }
    }
    return text.toString();
  }
}
