package io.rockpool.sample.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rockpool.Rockpool;
import io.rockpool.structure.PersistentMap;
import java.net.InetAddress;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.subethamail.smtp.RejectException;
import org.subethamail.smtp.server.SMTPServer;

/**
 * An SMTP server on loopback that is as unreliable as any: it refuses some mails for now, keeps
 * some and fails then, and may not know an address.
 */
final class MailServer implements AutoCloseable {
  /** The customer whose address the server does not know at first. */
  static final String UNKNOWN = "customer3";

  private static final Pattern ID = Pattern.compile("(?m)^Message-ID: (\\S+)");
  private static final double REFUSED = 0.2;
  private static final double KEPT_AND_FAILED = 0.1;
  private static final int TRY_LATER = 451;
  private static final int NO_SUCH_USER = 550;

  private final PersistentMap<String, Integer> mailbox;
  private final Random random;
  private final boolean knowsAll;
  private final AtomicLong lostAnswers = new AtomicLong();
  private @Nullable SMTPServer server;
  private int port;

  /**
   * A server that is started.
   *
   * @param pool keeps the mails
   * @param seed of its failures
   * @param knowsAll whether it knows the address of {@link #UNKNOWN}
   */
  MailServer(Rockpool pool, long seed, boolean knowsAll) {
    this.mailbox = pool.map("mailbox", String.class, Integer.class);
    this.random = new Random(seed);
    this.knowsAll = knowsAll;
    start();
  }

  /** Starts the server, on the same port as before. */
  void start() {
    server =
        SMTPServer.port(port)
            .bindAddress(InetAddress.getLoopbackAddress())
            .messageHandler((context, from, to, data) -> receive(to, new String(data, UTF_8)))
            .build();
    server.start();
    port = server.getPortAllocated();
  }

  /** Stops the server; its mails stay. */
  @Override
  public void close() {
    if (server != null) {
      server.stop();
    }
  }

  int port() {
    return port;
  }

  private void receive(String to, String data) throws RejectException {
    if (!knowsAll && to.startsWith(UNKNOWN + "@")) {
      throw new RejectException(NO_SUCH_USER, "There is no " + to + ".");
    }
    double failure = random.nextDouble();
    if (failure < REFUSED) {
      throw new RejectException(TRY_LATER, "Too busy.");
    }
    Matcher id = ID.matcher(data);
    if (!id.find()) {
      throw new RejectException(NO_SUCH_USER, "The mail has no Message-ID.");
    }
    mailbox.merge(id.group(1), 1, Integer::sum);
    if (failure < REFUSED + KEPT_AND_FAILED) {
      lostAnswers.incrementAndGet();
      throw new RejectException(TRY_LATER, "Failed after the mail was kept.");
    }
  }

  /** How often each mail has arrived, by Message-ID. */
  PersistentMap<String, Integer> mailbox() {
    return mailbox;
  }

  /** How many arrivals came again. */
  long repeated() {
    return mailbox.values().stream().mapToLong(times -> times - 1).sum();
  }

  /** How many mails were kept though the answer was that they were not. */
  long lostAnswers() {
    return lostAnswers.get();
  }
}
