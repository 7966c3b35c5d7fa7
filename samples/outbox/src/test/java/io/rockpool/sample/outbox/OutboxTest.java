package io.rockpool.sample.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.queue.DeadLetter;
import io.rockpool.queue.QueuedMessage;
import io.rockpool.sample.outbox.Shop.Audit;
import io.rockpool.sample.testing.Program;
import io.rockpool.sample.testing.Stores;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the program as its users do, each time in a JVM of its own, and kills it. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class OutboxTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int KILLS = 3;
  private static final int ORDERS = 100;
  private static final int MAX_LIFE_MILLIS = 600;
  private static final int POSTMEN = 4;

  @TempDir private Path directory;

  private Program start(Object... options) throws IOException {
    List<Object> arguments = new ArrayList<>(List.of("--directory", directory));
    arguments.addAll(List.of(options));
    Program program = Program.start(Outbox.class, arguments.toArray());
    program.killAfter(LIMIT);
    return program;
  }

  private Audit audit() {
    try (Rockpool pool = Rockpool.open(directory.resolve("shop"))) {
      return new Shop(pool).audit();
    }
  }

  private static Set<String> ids(Audit audit, boolean unknownToo) {
    return audit.orders().values().stream()
        .filter(order -> unknownToo || !order.customer().equals(MailServer.UNKNOWN))
        .map(order -> Mail.confirming(order).id())
        .collect(Collectors.toSet());
  }

  @Test
  void eachMailArrivesWhateverHappens() throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    try (Rockpool pool = Rockpool.temporary().open()) {
      try (MailServer server = new MailServer(pool, seed, false)) {
        for (int i = 0; i < KILLS; i++) {
          boolean isDown = i % 2 == 1;
          if (isDown) {
            server.close();
          }
          try (Program outbox = start("--port", server.port(), "--orders", ORDERS)) {
            assertThat(outbox.readLine()).contains("orders; the mails of").endsWith("given up.");
            TimeUnit.MILLISECONDS.sleep(random.nextInt(MAX_LIFE_MILLIS));
            if (isDown) {
              server.start();
              TimeUnit.MILLISECONDS.sleep(random.nextInt(MAX_LIFE_MILLIS));
            }
            outbox.kill();
          }
          assertThat(audit().agrees()).isTrue();
        }
        try (Program outbox = start("--port", server.port(), "--orders", ORDERS)) {
          assertThat(outbox.output()).contains("the mails of 0 wait");
          assertThat(outbox.exitCode()).isZero();
        }
        Audit audit = audit();
        assertThat(audit.agrees()).isTrue();
        assertThat(audit.waiting()).isZero();
        assertThat(audit.orders().keySet())
            .hasSizeGreaterThanOrEqualTo(ORDERS)
            .containsExactlyElementsOf(
                LongStream.rangeClosed(1, audit.orders().size()).boxed().toList());
        assertThat(server.mailbox().keySet()).isEqualTo(ids(audit, false));
        // Again came those whose answer the server lost, and those whose answer a dead process had.
        assertThat(server.lostAnswers()).isPositive();
        assertThat(server.repeated() - server.lostAnswers()).isBetween(0L, (long) KILLS * POSTMEN);
        assertDeadLetters();
      }
      redrive(pool, seed);
    }
    Stores.verify(directory.resolve("shop"));
  }

  private void assertDeadLetters() {
    try (Rockpool pool = Rockpool.open(directory.resolve("shop"))) {
      List<QueuedMessage<Mail>> letters = new Shop(pool).deadMails().peek(1_000);
      assertThat(letters).isNotEmpty();
      for (QueuedMessage<Mail> letter : letters) {
        assertThat(letter.message().to()).startsWith(MailServer.UNKNOWN + "@");
        DeadLetter death = letter.deadLetter().orElseThrow();
        assertThat(death.cause()).contains("There is no " + letter.message().to());
      }
    }
  }

  private void redrive(Rockpool pool, long seed) throws Exception {
    try (MailServer server = new MailServer(pool, seed, true)) {
      try (Program outbox = start("--port", server.port(), "--orders", 0, "--redrive")) {
        assertThat(outbox.output()).contains("mails are tried again.", "0 were given up.");
        assertThat(outbox.exitCode()).isZero();
      }
      Audit audit = audit();
      assertThat(audit.orders().values()).allMatch(Order::mailed);
      assertThat(server.mailbox().keySet()).isEqualTo(ids(audit, true));
    }
  }

  @Test
  void aMailThatTheShopDoesNotKnowOfComesAgain() throws Exception {
    try (Program outbox = start("--crash-after", 30, "--orders", ORDERS)) {
      assertThat(outbox.output()).startsWith("0 orders;").contains("Killed after 30 mails.");
      assertThat(outbox.exitCode()).isEqualTo(Program.KILLED);
    }
    try (Program outbox = start("--orders", 0)) {
      assertThat(outbox.output()).contains("the mails of 0 wait", "came again");
      assertThat(outbox.exitCode()).isZero();
    }
    try (Rockpool pool = Rockpool.open(directory.resolve("mailbox"))) {
      assertThat(pool.map("mailbox", String.class, Integer.class).keySet())
          .isEqualTo(ids(audit(), false));
    }
  }
}
