package io.rockpool.s3;

import io.rockpool.error.StoreLockedException;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lock that is an object, which its holder writes again and again. If the holder is killed, the
 * object is not written anymore, and after a while another process takes the lock over. Conditional
 * writes decide which process holds the lock; the server's clock decides how old the object is.
 *
 * <p>A holder that could not write it for some time must not use it anymore: {@link #check}.
 */
final class S3Lease implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(S3Target.LOGGER_NAME);
  private static final Pattern TEXT =
      Pattern.compile(
          """
          Rockpool lock
          (held|released)
          by (\\S+)
          token (\\S+)
          millis (\\d{1,12})
          renewal (\\d{1,18})
          """);

  /** A lease is renewed so many times before it ends. */
  private static final int RENEWALS = 3;

  /** The server's times are whole seconds. */
  private static final Duration RESOLUTION = Duration.ofSeconds(1);

  /** The tokens of leases that this process holds. */
  private static final Set<String> HELD_HERE = ConcurrentHashMap.newKeySet();

  private final S3Objects objects;
  private final String object;
  private final Duration length;
  private final String token = UUID.randomUUID().toString();
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(1, S3Lease::newThread);
  private String etag = "";
  private long renewals;
  private volatile long renewedNanos;
  private volatile boolean isLost;
  private boolean isReleased;

  private S3Lease(S3Objects objects, String object, Duration length) {
    this.objects = objects;
    this.object = object;
    this.length = length;
  }

  private static Thread newThread(Runnable work) {
    Thread created = new Thread(work, "rockpool-s3-lock");
    created.setDaemon(true);
    created.setContextClassLoader(S3Lease.class.getClassLoader());
    return created;
  }

  /** What the object of a lock says. */
  private record Holder(boolean isHeld, String who, String token, Duration length, String renewal) {
    /** Reads it; null if it is something else. */
    static @Nullable Holder of(String text) {
      Matcher matcher = TEXT.matcher(text);
      return matcher.matches()
          ? new Holder(
              matcher.group(1).equals("held"),
              matcher.group(2),
              matcher.group(3),
              Duration.ofMillis(Long.parseLong(matcher.group(4))),
              matcher.group(5))
          : null;
    }
  }

  /**
   * Acquires a lock. If its holder does not write it anymore, waits until its lease has ended.
   *
   * @param object the name of the lock's object
   * @param length after which another process may take it over
   * @throws StoreLockedException if another process holds it
   */
  static S3Lease acquire(S3Objects objects, String object, Duration length) throws IOException {
    S3Lease lease = new S3Lease(objects, object, length);
    lease.take();
    HELD_HERE.add(lease.token);
    long period = length.toNanos() / RENEWALS;
    Object unused =
        lease.thread.scheduleWithFixedDelay(lease::renew, period, period, TimeUnit.NANOSECONDS);
    return lease;
  }

  private void take() throws IOException {
    String first = null;
    while (true) {
      renewedNanos = System.nanoTime();
      S3Objects.Small now = objects.small(object);
      Holder holder = now == null ? null : Holder.of(now.text());
      if (now != null && holder == null) {
        throw new IOException(
            "the object " + object + " is no lock of Rockpool; delete it if nothing else needs it");
      }
      if (now != null && holder != null && holder.token().equals(token)) {
        etag = now.etag(); // written by a request whose answer was lost
        return;
      }
      if (now == null || holder == null || !holder.isHeld() || isOver(now, holder)) {
        String written = objects.putIf(now == null ? null : now.etag(), object, text("held"));
        if (written != null) {
          etag = written;
          return;
        }
        continue; // another process was faster, or it was this one
      }
      if (HELD_HERE.contains(holder.token()) || (first != null && !first.equals(now.etag()))) {
        throw locked(holder);
      }
      first = now.etag();
      rest(holder.length().dividedBy(RENEWALS * 2L));
    }
  }

  private static boolean isOver(S3Objects.Small now, Holder holder) {
    return now.age().compareTo(holder.length().plus(RESOLUTION)) > 0;
  }

  private static void rest(Duration time) throws IOException {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClosedByInterruptException();
    }
  }

  private StoreLockedException locked(Holder holder) {
    return new StoreLockedException(
        "The lock "
            + object
            + " of the backups in "
            + objects
            + " is in use by the process "
            + holder.who()
            + ". Wait until its backup is complete or its shipping is closed, or use another prefix.",
        null,
        null);
  }

  private String text(String state) {
    return "Rockpool lock\n"
        + state
        + "\nby "
        + ProcessHandle.current().pid()
        + "@"
        + host()
        + "\ntoken "
        + token
        + "\nmillis "
        + length.toMillis()
        + "\nrenewal "
        + renewals
        + "\n";
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName().replaceAll("\\s", "");
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }

  /** Writes the object again. If that fails, the next call tries it. */
  private synchronized void renew() {
    if (isReleased || isLost) {
      return;
    }
    long begun = System.nanoTime();
    try {
      renewals++;
      String written = objects.putIf(etag, object, text("held"));
      if (written == null) {
        S3Objects.Small now = objects.small(object);
        Holder holder = now == null ? null : Holder.of(now.text());
        if (now == null || holder == null || !holder.token().equals(token)) {
          isLost = true;
          LOG.error("The lock {} of the backups in {} was lost.", object, objects);
          return;
        }
        written = now.etag(); // of a renewal whose answer was lost
      }
      etag = written;
      renewedNanos = begun;
    } catch (IOException | RuntimeException e) {
      LOG.warn("The lock {} of the backups in {} could not be renewed.", object, objects, e);
    }
  }

  /**
   * Checks that no other process can have taken the lock over.
   *
   * @throws IOException if one may have
   */
  void check() throws IOException {
    long restNanos = length.toNanos() - (System.nanoTime() - renewedNanos);
    if (isLost || restNanos <= 0) {
      throw new IOException(
          "the lock "
              + object
              + " was lost, because it could not be renewed in time; nothing was changed after that");
    }
  }

  /** Releases the lock. If the server fails, it ends by itself. */
  @Override
  public void close() {
    HELD_HERE.remove(token);
    thread.shutdownNow();
    boolean interrupted = Thread.interrupted(); // the release is one short request
    try {
      release();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized void release() {
    if (isReleased) {
      return;
    }
    isReleased = true;
    if (!isLost) {
      try {
        String unused = objects.putIf(etag, object, text("released"));
      } catch (IOException | RuntimeException e) {
        LOG.warn("The lock {} of the backups in {} ends by itself.", object, objects, e);
      }
    }
  }
}
