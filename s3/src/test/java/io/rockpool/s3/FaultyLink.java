package io.rockpool.s3;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
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
      if (busyAnswers.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        int unused = client.getInputStream().read(new byte[8 << 10]);
        client
            .getOutputStream()
            .write(
                """
                HTTP/1.1 503 Slow Down\r
                Content-Length: 0\r
                Connection: close\r
                \r
                """
                    .getBytes(StandardCharsets.US_ASCII));
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
