package io.rockpool.sample.outbox;

import io.rockpool.Rockpool;
import io.rockpool.structure.ScoredElement;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A shop that takes orders with two clerks, and a relay that brings a message of each to a
 * receiver. It may be killed at any time: the next run delivers what the last one had left.
 */
@Command(
    name = "outbox",
    description = "Takes orders and delivers a message of each, in effect exactly once.")
public final class Outbox implements Callable<Integer> {
  private static final int CONTRADICTION = 1;
  private static final int KILLED = 137;
  private static final int CUSTOMERS = 10;
  private static final int LARGEST = 3;
  private static final long MAX_TOTAL_CENTS = 100_00;

  /** How many messages are delivered between two lines that say so. */
  private static final int LINE_INTERVAL = 100;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "Where shop and receiver have their stores (default: ${DEFAULT-VALUE}).")
  private Path directory = Path.of("sample-data", "outbox");

  @Option(
      names = "--orders",
      paramLabel = "N",
      description = "How many each clerk takes (default: ${DEFAULT-VALUE}).")
  private int orders = 500;

  @Option(
      names = "--crash-after",
      paramLabel = "N",
      description =
          "End this process as kill -9 does when the receiver has N messages of this run,"
              + " before the shop knows of the last.")
  private int crashAfter = Integer.MAX_VALUE;

  @SuppressWarnings("unused") // picocli reads it before call() is reached
  @Option(names = "--help", usageHelp = true, description = "Say this and do nothing.")
  private boolean help;

  private int delivered;

  private Outbox() {}

  /**
   * Runs shop and relay and ends the JVM with its exit code: 1 if something is not as it should be.
   *
   * @param args see {@code --help}
   */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Outbox()).execute(args));
  }

  @Override
  public Integer call() {
    try (Rockpool shopPool = Rockpool.open(directory.resolve("shop"));
        Rockpool receiverPool = Rockpool.open(directory.resolve("receiver"))) {
      Semaphore bell = new Semaphore(0);
      Shop shop = new Shop(shopPool, bell::release);
      Receiver receiver = new Receiver(receiverPool);
      Audit before = shop.audit();
      say(
          "%,d orders are there; the messages of %,d of them wait in the outbox.",
          before.orders().size(), before.waiting().size());
      Relay relay = new Relay(shop, receiver, bell, this::countOne);
      CompletableFuture<Void> relaying = CompletableFuture.runAsync(relay, this::start);
      CompletableFuture.allOf(
              CompletableFuture.runAsync(() -> takeOrders(shop), this::start),
              CompletableFuture.runAsync(() -> takeOrders(shop), this::start))
          .join();
      relay.close();
      relaying.join();
      return report(shop, receiver);
    }
  }

  private void start(Runnable work) {
    new Thread(work).start();
  }

  /** What one clerk does. */
  private void takeOrders(Shop shop) {
    SplittableRandom random = new SplittableRandom();
    for (int taken = 0; taken < orders; taken++) {
      shop.place("customer " + random.nextInt(CUSTOMERS), random.nextLong(1, MAX_TOTAL_CENTS));
    }
  }

  /** Counts a message that the receiver has. */
  private void countOne() {
    delivered++;
    if (delivered == crashAfter) {
      say("Killed after %,d messages. Run it again.", delivered);
      Runtime.getRuntime().halt(KILLED);
    }
    if (delivered % LINE_INTERVAL == 0) {
      say("%,d messages are delivered.", delivered);
    }
  }

  private static int report(Shop shop, Receiver receiver) {
    Audit audit = shop.audit();
    audit.contradictions().forEach(System.out::println);
    if (audit.contradictions().isEmpty()) {
      say("%,d orders: map, outbox, ranking and cache agree.", audit.orders().size());
    }
    for (ScoredElement<Long> order : shop.largest(LARGEST)) {
      say("  order %,d of %.2f", order.element(), order.score() / 100);
    }
    say(
        "The receiver has %,d messages, worth %,.2f; %,d came again, and changed nothing.",
        receiver.received().size(), receiver.revenueCents() / 100.0, receiver.repeated());
    long worthCents = audit.orders().values().stream().mapToLong(Order::totalCents).sum();
    return audit.contradictions().isEmpty() && worthCents == receiver.revenueCents()
        ? 0
        : CONTRADICTION;
  }

  private static void say(String format, Object... arguments) {
    System.out.printf(Locale.ROOT, format + "%n", arguments);
  }
}
