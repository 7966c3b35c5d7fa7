package io.rockpool.redis;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Passes connections on to a server, and counts round trips: how often a client sends a command
 * while it waits for no answer. Push messages of the server are no answers. Commands that only the
 * background sends, to confirm the feed, to adjust the clock and to tell own writes, do not count.
 */
final class CountingProxy implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 20;
  private static final Set<String> BACKGROUND =
      Set.of("\r\nGETRANGE\r\n", "\r\nPING\r\n", "\r\nTIME\r\n");

  private final ServerSocket listening;
  private final int serverPort;
  private final AtomicLong roundTrips = new AtomicLong();
  private final AtomicLong waiting = new AtomicLong();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();

  CountingProxy(int serverPort) throws IOException {
    this.serverPort = serverPort;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start("accept", this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  /** The round trips so far, of all connections. */
  long roundTrips() {
    return roundTrips.get();
  }

  /** Waits until the client has sent nothing for a while, also in the background. */
  void awaitQuiet() {
    try {
      long before;
      do {
        before = roundTrips.get();
        Thread.sleep(15);
      } while (waiting.get() > 0 || before != roundTrips.get());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void start(String name, Runnable work) {
    Thread thread = new Thread(work, "counting-proxy-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        sockets.add(client);
        sockets.add(server);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        Unanswered unanswered = new Unanswered();
        start("requests", () -> pass(client, server, unanswered::sent));
        start("answers", () -> pass(server, client, unanswered::answered));
      }
    } catch (IOException e) {
      // The proxy was closed.
    }
  }

  private static void pass(Socket from, Socket to, Consumer<String> passed) {
    try (InputStream in = new BufferedInputStream(from.getInputStream(), BUFFER_BYTES);
        OutputStream out = new BufferedOutputStream(to.getOutputStream(), BUFFER_BYTES)) {
      ByteArrayOutputStream message = new ByteArrayOutputStream();
      while (true) {
        copy(in, message);
        passed.accept(message.toString(StandardCharsets.ISO_8859_1));
        message.writeTo(out);
        message.reset();
        if (in.available() == 0) {
          out.flush();
        }
      }
    } catch (IOException e) {
      // A side has closed its connection.
    }
  }

  /** The commands of a connection that wait for answers, in their order. */
  private final class Unanswered {
    private final Deque<Boolean> counted = new ArrayDeque<>();
    private int foreground;

    synchronized void sent(String command) {
      boolean counts = BACKGROUND.stream().noneMatch(command::contains);
      counted.addLast(counts);
      waiting.incrementAndGet();
      if (counts && foreground++ == 0) {
        roundTrips.incrementAndGet();
      }
    }

    synchronized void answered(String answer) {
      if (answer.charAt(0) == '>') {
        return;
      }
      waiting.decrementAndGet();
      if (counted.removeFirst()) {
        foreground--;
      }
    }
  }

  /** Copies a command, an answer or a message. */
  private static void copy(InputStream in, OutputStream out) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException();
      }
      line.append((char) next);
    }
    out.write(line.append('\n').toString().getBytes(StandardCharsets.ISO_8859_1));
    char type = line.charAt(0);
    if ("$!=*~>%".indexOf(type) < 0) {
      return;
    }
    int length = Integer.parseInt(line.substring(1, line.length() - 2));
    if ("$!=".indexOf(type) >= 0) {
      out.write(in.readNBytes(length < 0 ? 0 : length + 2));
    } else {
      for (int i = 0; i < (type == '%' ? 2 * length : length); i++) {
        copy(in, out);
      }
    }
  }

  @Override
  public void close() {
    try {
      listening.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
