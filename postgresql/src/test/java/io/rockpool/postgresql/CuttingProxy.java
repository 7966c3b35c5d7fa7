package io.rockpool.postgresql;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Passes bytes between a pool and the server, and cuts connections: all at once, or after a number
 * of bytes in one direction, so also between a commit and its answer. It can delay what passes.
 */
final class CuttingProxy implements AutoCloseable {
  private final int target;
  private final ServerSocket listening;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Direction up = new Direction();
  private final Direction down = new Direction();
  private final AtomicLong cuts = new AtomicLong();
  private final Object monitor = new Object();
  private volatile boolean refusing;
  private boolean parted;

  /** The next bytes to the server that contain this are not passed; the answer is given instead. */
  private volatile String refused;

  private volatile byte[] answer;

  /** The answer to the next bytes to the server that contain this is late. */
  private volatile String delayed;

  private volatile long lateNanos;

  /** The bytes that still pass in a direction, and those that have passed. */
  private static final class Direction {
    private final AtomicLong left = new AtomicLong(Long.MAX_VALUE);
    private final AtomicLong passed = new AtomicLong();
    private volatile long delayNanos;
  }

  CuttingProxy(int target) throws IOException {
    this.target = target;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start("accept", this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  /** The next {@code bytes} from the server pass; then all connections are cut. */
  void cutAfter(long bytes) {
    down.left.set(bytes);
  }

  /** The next {@code bytes} to the server pass; then all connections are cut. */
  void cutAfterSent(long bytes) {
    up.left.set(bytes);
  }

  /** How many bytes have come from the server. */
  long receivedBytes() {
    return down.passed.get();
  }

  /** How many bytes have gone to the server. */
  long sentBytes() {
    return up.passed.get();
  }

  /** How often connections were cut after a number of bytes. */
  long cuts() {
    return cuts.get();
  }

  /** Adds this to the time of each round trip, half of it in each direction. */
  void delayRoundTrips(long nanos) {
    up.delayNanos = nanos / 2;
    down.delayNanos = nanos / 2;
  }

  /** Adds this to the time that each answer needs. */
  void delayAnswers(long nanos) {
    down.delayNanos = nanos;
  }

  /** Adds this to the time of the answer to the next statement that contains a text. */
  void delayAnswer(String statement, long nanos) {
    lateNanos = nanos;
    delayed = statement;
  }

  /** Cuts all connections now. */
  void cut() {
    sockets.removeIf( // not those that are added meanwhile
        socket -> {
          close(socket);
          return true;
        });
  }

  /** Cuts all connections, and refuses new ones until told otherwise. */
  void refuse(boolean refuse) {
    refusing = refuse;
    if (refuse) {
      cut();
    }
  }

  /** Answers the next statement that contains a text in place of the server, and cuts. */
  void answer(String statement, byte[] bytes) {
    answer = bytes;
    refused = statement;
  }

  private static boolean contains(byte[] buffer, int read, String text) {
    return text != null && new String(buffer, 0, read, StandardCharsets.UTF_8).contains(text);
  }

  private boolean isRefused(byte[] buffer, int read) {
    if (!contains(buffer, read, refused)) {
      return false;
    }
    refused = null;
    return true;
  }

  /** Lets nothing pass, in either direction, without cutting a connection; or everything again. */
  void part(boolean apart) {
    synchronized (monitor) {
      parted = apart;
      monitor.notifyAll();
    }
  }

  private void awaitPassage() throws IOException {
    synchronized (monitor) {
      while (parted) {
        try {
          monitor.wait();
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
      }
    }
  }

  private static void start(String name, Runnable work) {
    Thread thread = new Thread(work, "cutting-proxy-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        if (refusing) {
          client.close();
          continue;
        }
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        sockets.add(client);
        sockets.add(server);
        AtomicLong late = new AtomicLong();
        start("up", () -> pass(client, server, up, late));
        start("down", () -> pass(server, client, down, late));
      } catch (IOException e) {
        // The test cuts, or has closed the proxy.
      }
    }
  }

  private void pass(Socket from, Socket to, Direction direction, AtomicLong late) {
    byte[] buffer = new byte[8 << 10];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        LockSupport.parkNanos(direction.delayNanos);
        if (direction == up && contains(buffer, read, delayed)) {
          delayed = null;
          late.set(lateNanos);
        }
        if (direction == down) {
          LockSupport.parkNanos(late.getAndSet(0));
        }
        awaitPassage();
        if (direction == up && isRefused(buffer, read)) {
          from.getOutputStream().write(answer);
          return;
        }
        long left = direction.left.getAndAdd(-read);
        int passed = (int) Math.max(0, Math.min(left, read));
        direction.passed.addAndGet(passed);
        out.write(buffer, 0, passed);
        out.flush();
        if (passed < read) {
          direction.left.set(Long.MAX_VALUE);
          cuts.incrementAndGet();
          cut();
          return;
        }
      }
    } catch (IOException e) {
      // One side is gone.
    } finally {
      close(from);
      close(to);
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed.
    }
  }

  @Override
  public void close() throws IOException {
    part(false);
    listening.close();
    cut();
  }
}
