package io.rockpool.redis;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Passes connections on to a server, and counts round trips: how often a client sends a command
 * while it waits for no answer. Push messages of the server are no answers.
 */
final class CountingProxy implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 20;

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
        AtomicLong unanswered = new AtomicLong();
        start("requests", () -> pass(client, server, unanswered, true));
        start("answers", () -> pass(server, client, unanswered, false));
      }
    } catch (IOException e) {
      // The proxy was closed.
    }
  }

  private void pass(Socket from, Socket to, AtomicLong unanswered, boolean requests) {
    try (InputStream in = new BufferedInputStream(from.getInputStream(), BUFFER_BYTES);
        OutputStream out = new BufferedOutputStream(to.getOutputStream(), BUFFER_BYTES)) {
      while (true) {
        boolean pushed = copy(in, out) == '>';
        if (requests) {
          waiting.incrementAndGet();
          if (unanswered.getAndIncrement() == 0) {
            roundTrips.incrementAndGet();
          }
        } else if (!pushed) {
          waiting.decrementAndGet();
          unanswered.decrementAndGet();
        }
        if (in.available() == 0) {
          out.flush();
        }
      }
    } catch (IOException e) {
      // A side has closed its connection.
    }
  }

  /** Copies a command, an answer or a message, and returns the type of it. */
  private static int copy(InputStream in, OutputStream out) throws IOException {
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
      return type;
    }
    int length = Integer.parseInt(line.substring(1, line.length() - 2));
    if ("$!=".indexOf(type) >= 0) {
      out.write(in.readNBytes(length < 0 ? 0 : length + 2));
    } else {
      for (int i = 0; i < (type == '%' ? 2 * length : length); i++) {
        int unused = copy(in, out);
      }
    }
    return type;
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
