package io.rockpool.s3;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** A port that leads to a server, with faults on the way. */
final class FaultyLink implements AutoCloseable {
  private final ServerSocket listener;
  private final int serverPort;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** How many connections are still to be answered with "503 Slow Down". */
  final AtomicInteger busyAnswers = new AtomicInteger();

  /** How many connections are still to be answered with "412" before their content is read. */
  final AtomicInteger earlyRefusals = new AtomicInteger();

  /** The heads of requests that were refused early. */
  final Queue<String> refused = new ConcurrentLinkedQueue<>();

  /** Each connection breaks after so many bytes from the server. */
  volatile long maxBytesDown = Long.MAX_VALUE;

  /** Each connection breaks after so many bytes to the server. */
  volatile long maxBytesUp = Long.MAX_VALUE;

  /** How many connections were broken. */
  final AtomicInteger broken = new AtomicInteger();

  FaultyLink(int serverPort) throws IOException {
    this.serverPort = serverPort;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        threads.execute(() -> serve(client));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void serve(Socket client) {
    try (client) {
      if (take(busyAnswers)) {
        int unused = client.getInputStream().read(new byte[8 << 10]);
        answer(client, "503 Slow Down");
        return;
      }
      if (take(earlyRefusals)) {
        refused.add(head(client.getInputStream()));
        answer(client, "412 Precondition Failed");
        return;
      }
      try (Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort)) {
        threads.execute(() -> copy(client, server, () -> maxBytesUp));
        copy(server, client, () -> maxBytesDown);
      }
    } catch (IOException e) {
      // the other end is gone
    }
  }

  private static boolean take(AtomicInteger left) {
    return left.getAndUpdate(now -> Math.max(0, now - 1)) > 0;
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("The client went away within a head: " + head);
      }
      head.append((char) next);
    }
    return head.toString();
  }

  private static void answer(Socket client, String status) throws IOException {
    String answer = "HTTP/1.1 " + status + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
  }

  /** Clients keep connections, so the limit is asked for again and again. */
  private void copy(Socket from, Socket to, LongSupplier max) {
    byte[] buffer = new byte[8 << 10];
    long copied = 0;
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        long left = max.getAsLong() - copied;
        out.write(buffer, 0, (int) Math.max(0, Math.min(read, left)));
        copied += read;
        if (read > left) {
          broken.incrementAndGet();
          break;
        }
      }
    } catch (IOException e) {
      // the other end is gone
    }
    try {
      from.close();
      to.close();
    } catch (IOException e) {
      // closed already
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    threads.shutdownNow();
  }
}
