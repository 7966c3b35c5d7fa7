package io.rockpool.sample.outbox;

import io.rockpool.Rockpool;
import io.rockpool.queue.QueueListener;
import io.rockpool.sample.outbox.Shop.Audit;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A shop that takes orders and sends a mail for each to an unreliable server. It may be killed at
 * any time: the next run sends what the last one has left.
 */
@Command(
    name = "outbox",
    description = "Takes orders and sends a mail for each, at least once, through bad days.")
public final class Outbox implements Callable<Integer> {
  private static final int CONTRADICTION = 1;
  private static final int KILLED = 137;
  private static final int CLERKS = 2;
  private static final int CUSTOMERS = 10;
  private static final long MAX_TOTAL_CENTS = 100_00;
  private static final int POSTMEN = 4;
  private static final long PAUSE_MILLIS = 20;

  /** How many mails are sent between two lines that say so. */
  private static final int LINE_INTERVAL = 100;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "Where the shop and the mail server have their stores (${DEFAULT-VALUE}).")
  private Path directory = Path.of("sample-data", "outbox");

  @Option(
      names = "--orders",
      paramLabel = "N",
      description = "How many orders are taken (default: ${DEFAULT-VALUE}).")
  private int orders = 1_000;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "The port of an SMTP server on this machine. By default, one is started.")
  private int port;

  @Option(
      names = "--redrive",
      description = "Send the mails again that were given up; the address is known by now.")
  private boolean redrive;

  @Option(
      names = "--crash-after",
      paramLabel = "N",
      description =
          "End this process as kill -9 does when the server has N mails of this run, before the"
              + " shop knows of the last.")
  private int crashAfter = Integer.MAX_VALUE;

  @SuppressWarnings("unused") // picocli reads it before call() is reached
  @Option(names = "--help", usageHelp = true, description = "Say this and do nothing.")
  private boolean help;

  private final AtomicInteger sent = new AtomicInteger();

  private Outbox() {}

  /**
   * Runs the shop and ends the JVM with its exit code: 1 if orders and mails do not agree.
   *
   * @param args see {@code --help}
   */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Outbox()).execute(args));
  }

  @Override
  public Integer call() throws InterruptedException {
    if (port != 0) {
      return run(port);
    }
    try (Rockpool pool = Rockpool.open(directory.resolve("mailbox"));
        MailServer server = new MailServer(pool, System.nanoTime(), redrive)) {
      int exitCode = run(server.port());
      say(
          "The mailbox has %,d mails; %,d came again, which their Message-IDs tell.",
          server.mailbox().size(), server.repeated());
      return exitCode;
    }
  }

  private int run(int serverPort) throws InterruptedException {
    try (Rockpool pool = Rockpool.open(directory.resolve("shop"))) {
      Shop shop = new Shop(pool);
      say(shop.audit());
      if (redrive) {
        say("%,d mails are tried again.", shop.mails().redrive(mail -> true, 1_000));
      }
      String host = InetAddress.getLoopbackAddress().getHostAddress();
      try (QueueListener<Mail> postmen =
          QueueListener.on(shop.mails(), new Postman(shop, host, serverPort, this::countOne))
              .concurrency(POSTMEN)
              .start()) {
        takeOrders(shop);
        while (shop.mails().size() > 0) {
          TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
      }
      Audit audit = shop.audit();
      say(audit);
      return audit.agrees() ? 0 : CONTRADICTION;
    }
  }

  private void takeOrders(Shop shop) {
    CompletableFuture<?>[] clerks = new CompletableFuture<?>[CLERKS];
    for (int i = 0; i < CLERKS; i++) {
      clerks[i] =
          CompletableFuture.runAsync(
              () -> takeOrders(shop, orders / CLERKS), work -> new Thread(work).start());
    }
    CompletableFuture.allOf(clerks).join();
  }

  private static void takeOrders(Shop shop, int number) {
    SplittableRandom random = new SplittableRandom();
    for (int taken = 0; taken < number; taken++) {
      shop.place("customer" + random.nextInt(CUSTOMERS), random.nextLong(1, MAX_TOTAL_CENTS));
    }
  }

  /** Counts a mail that the server has. */
  private void countOne() {
    int number = sent.incrementAndGet();
    if (number == crashAfter) {
      say("Killed after %,d mails. Run it again.", number);
      Runtime.getRuntime().halt(KILLED);
    }
    if (number % LINE_INTERVAL == 0) {
      say("%,d mails are sent.", number);
    }
  }

  private static void say(Audit audit) {
    say(
        "%,d orders; the mails of %,d wait, %,d were given up.%s",
        audit.orders().size(),
        audit.waiting(),
        audit.dead(),
        audit.agrees() ? "" : " Orders and mails do not agree!");
  }

  private static void say(String format, Object... arguments) {
    System.out.printf(Locale.ROOT, format + "%n", arguments);
  }
}
