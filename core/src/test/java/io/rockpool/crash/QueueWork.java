package io.rockpool.crash;

import io.rockpool.Rockpool;
import io.rockpool.queue.Backoff;
import io.rockpool.queue.Delivery;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.SendOptions;
import io.rockpool.structure.PersistentMap;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * The work on a queue: producers send numbered texts, consumers count each text, and the last of
 * each group, in the transaction of its acknowledgement.
 */
final class QueueWork {
  /** The lines that a victim prints: what it is sure of. */
  static final String SENT = "sent ";

  static final String RECEIVED = "received ";
  static final String ACKNOWLEDGED = "acknowledged ";

  /** The end of each of these lines. */
  static final String END = ";";

  private static final Duration VISIBILITY = Duration.ofMillis(150);
  private static final int MAX_DELAY_MILLIS = 20;
  private static final int MAX_BATCH = 5;

  final Rockpool pool;
  final PersistentQueue<String> queue;

  /** How often each text had its effect. */
  final PersistentMap<String, Integer> effects;

  /** The last number of each group. */
  final PersistentMap<String, Integer> last;

  private final Consumer<String> said;

  /** Opens the queue; {@code said} gets the lines. */
  QueueWork(Rockpool pool, Consumer<String> said) {
    this.said = said;
    this.pool = pool;
    this.queue =
        pool.queue(
            "work",
            String.class,
            o ->
                o.visibilityTimeout(VISIBILITY)
                    .maxDeliveries(1_000)
                    .deadLetters("dead")
                    .backoff(Backoff.none())); // what comes back is free at once
    this.effects = pool.map("effects", String.class, Integer.class);
    this.last = pool.map("last", String.class, Integer.class);
  }

  /** Sends the texts of one producer: odd producers send groups, even ones delays. */
  void produce(String producer, int number, Random random) {
    String text = producer + ":" + number;
    SendOptions options = SendOptions.defaults();
    if (isGrouped(producer)) {
      options = options.group(producer);
    } else if (random.nextBoolean()) {
      options = options.delay(Duration.ofMillis(random.nextInt(MAX_DELAY_MILLIS)));
    } else {
      options = options.priority(random.nextInt(SendOptions.MAX_PRIORITY));
    }
    queue.send(text, options);
    say(SENT + text);
  }

  static boolean isGrouped(String producer) {
    return producer.charAt(producer.length() - 1) % 2 == 1;
  }

  /** Receives some texts, and acknowledges most of them. */
  void consume(Random random, Duration timeout) throws InterruptedException {
    for (Delivery<String> delivery : queue.receive(1 + random.nextInt(MAX_BATCH), timeout)) {
      say(RECEIVED + delivery.message() + " " + delivery.deliveries());
      switch (random.nextInt(12)) {
        case 0 -> delivery.release();
        case 1 -> delivery.retry("by chance");
        case 2 -> {} // its lease ends by itself
        case 3 -> {
          delivery.extend(VISIBILITY.multipliedBy(2));
          finish(delivery);
        }
        default -> finish(delivery);
      }
    }
  }

  /** Handles the texts of a listener's batch until one fails by chance. */
  void handle(List<Delivery<String>> batch, Random random) throws IOException {
    for (Delivery<String> delivery : batch) {
      say(RECEIVED + delivery.message() + " " + delivery.deliveries());
      switch (random.nextInt(12)) {
        case 0 -> throw new IOException("by chance");
        case 1 -> delivery.retry("by chance");
        default -> finish(delivery);
      }
    }
  }

  /** Acknowledges a text with its effect; returns whether it was in time. */
  boolean finish(Delivery<String> delivery) {
    String text = delivery.message();
    boolean done =
        pool.atomically(
            tx -> {
              if (!delivery.acknowledge()) {
                return false;
              }
              effects.merge(text, 1, Integer::sum);
              delivery.group().ifPresent(group -> follow(group, number(text)));
              return true;
            });
    if (done) {
      say(ACKNOWLEDGED + text);
    }
    return done;
  }

  private void follow(String group, int number) {
    int before = last.getOrDefault(group, -1);
    if (number != before + 1) {
      throw new IllegalStateException(group + ":" + number + " came after " + before);
    }
    last.put(group, number);
  }

  private static int number(String text) {
    return Integer.parseInt(text.substring(text.lastIndexOf(':') + 1));
  }

  private void say(String line) {
    said.accept(line + END);
  }
}
