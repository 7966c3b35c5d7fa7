package io.rockpool.sample.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.sample.testing.Program;
import io.rockpool.sample.testing.Stores;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the program as its users do, each time in a JVM of its own, and kills it midway. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class OutboxTest {
  private static final int CRASH_AFTER = 50;
  private static final int ORDERS = 300;
  private static final int MAX_LINES = 3;

  @TempDir private Path directory;

  @Test
  void everyOrderIsDeliveredOnceHoweverOftenTheProcessIsKilled() throws Exception {
    try (Program outbox = start("--crash-after", CRASH_AFTER)) {
      assertThat(outbox.output())
          .startsWith("0 orders are there;")
          .contains("Killed after 50 messages.");
      assertThat(outbox.exitCode()).isEqualTo(Program.KILLED);
    }
    assertAgreement(CRASH_AFTER, 1, 0);

    long seed = System.nanoTime();
    int lines = 1 + new Random(seed).nextInt(MAX_LINES);
    try (Program outbox = start("--orders", Integer.MAX_VALUE)) {
      // What it is doing when it is killed is not for its lines to say: it goes on behind them.
      for (int line = 0; line < lines; line++) {
        assertThat(outbox.readLine()).as("seed %d", seed).contains("messages");
      }
      outbox.kill();
      assertThat(outbox.exitCode()).isEqualTo(Program.KILLED);
    }
    // One of those that the second run delivered came again.
    assertAgreement(CRASH_AFTER - 1 + (lines - 1) * 100, 1, 1);

    try (Program outbox = start("--orders", ORDERS)) {
      assertThat(outbox.output())
          .contains("map, outbox, ranking and cache agree.", "came again, and changed nothing.");
      assertThat(outbox.exitCode()).isZero();
    }
    assertAgreement(2 * ORDERS, 0, 2);
    Stores.verify(directory.resolve("shop"));
    Stores.verify(directory.resolve("receiver"));
  }

  /**
   * Opens both stores and compares what they have.
   *
   * @param atLeast how many messages the receiver has, at the least
   * @param ahead how many messages of these may not have left the outbox
   * @param repeated how many messages came again, at the most
   */
  private void assertAgreement(int atLeast, int ahead, int repeated) {
    try (Rockpool shopPool = Rockpool.open(directory.resolve("shop"));
        Rockpool receiverPool = Rockpool.open(directory.resolve("receiver"))) {
      Audit audit = new Shop(shopPool, () -> {}).audit();
      Receiver receiver = new Receiver(receiverPool);
      Map<Long, Message> received = Map.copyOf(receiver.received());
      assertThat(audit.contradictions()).isEmpty();
      assertThat(received.size()).isGreaterThanOrEqualTo(atLeast);
      assertThat(audit.orders().keySet())
          .as("orders' numbers, without a gap")
          .containsExactlyElementsOf(
              LongStream.rangeClosed(1, audit.orders().size()).boxed().toList());
      assertThat(audit.orders().keySet()).containsAll(received.keySet());

      Map<Long, Message> left =
          audit.waiting().stream().collect(Collectors.toMap(Message::number, message -> message));
      assertThat(received.size() + left.size() - audit.orders().size())
          .as("messages that were received and are in the outbox still")
          .isBetween(0, ahead);
      assertThat(receiver.repeated()).isBetween(0L, (long) repeated);
      assertThat(receiver.revenueCents())
          .isEqualTo(received.values().stream().mapToLong(Message::totalCents).sum());
      audit
          .orders()
          .values()
          .forEach(
              order -> {
                Message message = new Message(order.number(), order.totalCents());
                assertThat(order.delivered() ? received : left)
                    .containsEntry(order.number(), message);
              });
    }
  }

  private Program start(Object... options) throws Exception {
    Object[] arguments = new Object[options.length + 2];
    arguments[0] = "--directory";
    arguments[1] = directory;
    System.arraycopy(options, 0, arguments, 2, options.length);
    return Program.start(Outbox.class, arguments);
  }
}
