package io.rockpool.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.DocumentExamples;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The examples of {@code docs/queue.md} are those below, and they do what they say. */
@Timeout(60)
class QueuePageTest {
  @TempDir Path directory;
  private final List<Mail> delivered = new CopyOnWriteArrayList<>();
  private boolean fails;

  private record Mail(String to, String text) {}

  private void deliver(Mail mail) throws IOException {
    if (fails) {
      throw new IOException("no connection");
    }
    delivered.add(mail);
  }

  private void first() throws InterruptedException {
    // QUEUE
    try (Rockpool pool = Rockpool.open(directory)) {
      PersistentQueue<Mail> mails =
          pool.queue(
              "mails",
              Mail.class,
              o ->
                  o.visibilityTimeout(Duration.ofSeconds(30))
                      .maxDeliveries(10)
                      .deadLetters("mails-dead")
                      .backoff(Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(5))));
      mails.send(new Mail("ann", "Hello"));
      mails.send(new Mail("bob", "Later"), o -> o.delay(Duration.ofMinutes(5)));
      for (Delivery<Mail> delivery : mails.receive(10, Duration.ofSeconds(20))) {
        try {
          deliver(delivery.message());
          delivery.acknowledge();
        } catch (IOException e) {
          delivery.retry(e.toString());
        }
      }
    }
    // QUEUE
  }

  private static void once(
      Rockpool pool,
      Delivery<Mail> delivery,
      PersistentMap<String, Long> sent,
      PersistentQueue<String> receipts) {
    // QUEUE
    pool.runAtomically(
        tx -> {
          if (delivery.acknowledge()) {
            sent.merge(delivery.message().to(), 1L, Long::sum);
            receipts.send(delivery.message().to());
          }
        });
    // QUEUE
  }

  private static void options(PersistentQueue<Mail> mails, Mail mail) {
    // QUEUE
    mails.send(
        mail,
        o ->
            o.group("order-7") // in order, one at a time
                .deduplicate("order-7/paid", Duration.ofMinutes(5))
                .timeToLive(Duration.ofDays(1))
                .header("trace", "4711"));
    mails.send(mail, o -> o.priority(3).delay(Duration.ofSeconds(10)));
    // QUEUE
  }

  private void listen(PersistentQueue<Mail> mails) throws InterruptedException {
    // QUEUE
    try (QueueListener<Mail> listener =
        QueueListener.on(mails, delivery -> deliver(delivery.message()))
            .concurrency(4)
            .maxExtension(Duration.ofMinutes(10))
            .onError((delivery, error) -> delivery.retry(error.getMessage()))
            .start()) {
      runApplication();
    }
    // QUEUE
  }

  private void runApplication() throws InterruptedException {
    while (delivered.isEmpty()) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private static void dead(PersistentQueue<Mail> mails) throws InterruptedException {
    // QUEUE
    for (QueuedMessage<Mail> letter : mails.deadLetters().peek(10)) {
      DeadLetter death = letter.deadLetter().orElseThrow();
      System.out.println(
          death.deliveries() + " times since " + letter.sent() + ": " + death.cause());
    }
    mails.redrive(letter -> letter.message().to().equals("ann"), 100); // at most 100 a second
    // QUEUE
  }

  private static QueueListener<String> timer(Rockpool pool) {
    // QUEUE
    PersistentTimer<String> reports =
        pool.timer("reports", Schedule.cron("30 3 * * *", ZoneOffset.UTC), String.class);
    reports.start("daily"); // does nothing if it is started already
    QueueListener<String> listener =
        QueueListener.on(reports.firings(), firing -> report(firing.message())).start();
    // QUEUE
    assertThat(reports.next()).isPresent();
    assertThat(reports.start("daily")).isFalse();
    return listener;
  }

  private static void report(String which) {
    assertThat(which).isEqualTo("daily");
  }

  @Test
  void theTimerIsStarted() {
    try (Rockpool pool = Rockpool.open(directory);
        QueueListener<String> listener = timer(pool)) {
      assertThat(listener.running()).isZero();
    }
  }

  @Test
  void theFirstExampleRetries() throws Exception {
    fails = true;
    first();
    assertThat(delivered).isEmpty();
    try (Rockpool pool = Rockpool.open(directory)) {
      assertThat(pool.queue("mails", Mail.class).size()).isEqualTo(2);
    }
  }

  @Test
  void theOthersDoWhatTheySay() throws Exception {
    first();
    assertThat(delivered).containsExactly(new Mail("ann", "Hello"));
    delivered.clear();
    try (Rockpool pool = Rockpool.open(directory)) {
      PersistentQueue<Mail> mails = pool.queue("mails", Mail.class);
      PersistentQueue<String> receipts = pool.queue("receipts", String.class);
      PersistentMap<String, Long> sent = pool.map("sent", String.class, Long.class);
      options(mails, new Mail("ann", "Paid"));
      options(mails, new Mail("ann", "Twice"));
      Delivery<Mail> delivery = mails.receive().orElseThrow();
      assertThat(delivery.headers()).containsEntry("trace", "4711");
      once(pool, delivery, sent, receipts);
      once(pool, delivery, sent, receipts);
      assertThat(sent).containsEntry("ann", 1L);
      assertThat(receipts.size()).isEqualTo(1);
      mails.send(new Mail("ann", "Dead"));
      assertThat(mails.receive().orElseThrow().reject("by hand")).isTrue();
      assertThat(mails.receive()).isEmpty();
      dead(mails);
      listen(mails);
      assertThat(delivered).containsExactly(new Mail("ann", "Dead"));
    }
  }

  @Test
  void theyAreThoseOfThePage() {
    DocumentExamples.assertIn("docs/queue.md", "QUEUE", QueuePageTest.class);
  }
}
