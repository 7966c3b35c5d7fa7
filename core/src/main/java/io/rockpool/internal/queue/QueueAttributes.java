package io.rockpool.internal.queue;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.queue.Backoff;
import io.rockpool.queue.QueueOptions;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The options of a queue, as they are kept with its name. */
final class QueueAttributes {
  private static final String VISIBILITY_TIMEOUT = "visibility-timeout";
  private static final String MAX_DELIVERIES = "max-deliveries";
  private static final String DEAD_LETTERS = "dead-letters";
  private static final String DEAD_LETTER_RETENTION = "dead-letter-retention";
  private static final String BACKOFF = "backoff";
  private static final String MAX_SIZE = "max-size";

  private QueueAttributes() {}

  /**
   * Returns the options with the kept ones that are not set.
   *
   * @throws CorruptStoreException if the attributes cannot be read
   */
  static QueueOptions complete(QueueOptions options, Map<String, String> kept) {
    try {
      QueueOptions all = options;
      String timeout = kept.get(VISIBILITY_TIMEOUT);
      if (all.visibilityTimeout() == null && timeout != null) {
        all = all.visibilityTimeout(Duration.parse(timeout));
      }
      String deliveries = kept.get(MAX_DELIVERIES);
      if (all.maxDeliveries() == null && deliveries != null) {
        all = all.maxDeliveries(Integer.parseInt(deliveries));
      }
      String dead = kept.get(DEAD_LETTERS);
      if (all.deadLetters() == null && dead != null) {
        all = all.deadLetters(dead);
      }
      String retention = kept.get(DEAD_LETTER_RETENTION);
      if (all.deadLetterRetention() == null && retention != null) {
        all = all.deadLetterRetention(Duration.parse(retention));
      }
      String backoff = kept.get(BACKOFF);
      if (all.backoff() == null && backoff != null) {
        all = all.backoff(backoff(backoff));
      }
      String size = kept.get(MAX_SIZE);
      return all.maxSize() == null && size != null ? all.maxSize(Long.parseLong(size)) : all;
    } catch (DateTimeParseException | IllegalArgumentException e) {
      throw new CorruptStoreException(
          "a descriptor keeps the options " + kept + ", which cannot be read", e);
    }
  }

  /** Returns the attributes that keep these options. */
  static Map<String, String> of(QueueOptions options) {
    Map<String, String> kept = new TreeMap<>();
    put(kept, VISIBILITY_TIMEOUT, options.visibilityTimeout());
    put(kept, MAX_DELIVERIES, options.maxDeliveries());
    put(kept, DEAD_LETTERS, options.deadLetters());
    put(kept, DEAD_LETTER_RETENTION, options.deadLetterRetention());
    Backoff backoff = options.backoff();
    put(
        kept,
        BACKOFF,
        backoff == null ? null : backoff.first() + " " + backoff.max() + " " + backoff.factor());
    put(kept, MAX_SIZE, options.maxSize());
    return kept;
  }

  private static Backoff backoff(String text) {
    List<String> parts = List.of(text.split(" ", -1));
    if (parts.size() != 3) {
      throw new IllegalArgumentException(text);
    }
    return new Backoff(
        Duration.parse(parts.get(0)),
        Duration.parse(parts.get(1)),
        Double.parseDouble(parts.get(2)));
  }

  private static void put(Map<String, String> kept, String key, @Nullable Object value) {
    if (value != null) {
      kept.put(key, value.toString());
    }
  }

  /** Returns what is set in {@code here} and is another value in {@code there}. */
  static List<String> differences(QueueOptions here, QueueOptions there) {
    List<String> differences = new ArrayList<>();
    add(differences, "visibilityTimeout", there.visibilityTimeout(), here.visibilityTimeout());
    add(differences, "maxDeliveries", there.maxDeliveries(), here.maxDeliveries());
    add(differences, "deadLetters", there.deadLetters(), here.deadLetters());
    add(
        differences,
        "deadLetterRetention",
        there.deadLetterRetention(),
        here.deadLetterRetention());
    add(differences, "backoff", there.backoff(), here.backoff());
    add(differences, "maxSize", there.maxSize(), here.maxSize());
    add(differences, "durability", there.durability(), here.durability());
    add(differences, "codecs", there.codecs(), here.codecs());
    return differences;
  }

  private static void add(
      List<String> differences, String name, @Nullable Object there, @Nullable Object here) {
    if (here != null && !here.equals(there)) {
      differences.add(name + " is " + (there == null ? "unset" : there) + ", not " + here);
    }
  }
}
