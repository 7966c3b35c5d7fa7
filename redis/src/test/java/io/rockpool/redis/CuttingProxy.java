package io.rockpool.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Keeps what a server answers, and cuts the connections before or after the answers. */
final class CuttingProxy implements AutoCloseable {
  private final int target;
  private final ServerSocket listening;
  private final Object monitor = new Object();
  private final List<Pair> pairs = new ArrayList<>();

  /** What the client sends next when answers begin to be kept; null for nothing. */
  private @Nullable Pattern beginning;

  /** Whether answers are kept, and new connections wait. */
  private boolean keeps;

  /** How many bytes still pass to the server. */
  private long left;

  /** A connection of a client, that to the server, and the answers that are kept. */
  private record Pair(Socket client, Socket server, ByteArrayOutputStream kept) {}

  CuttingProxy(int target) throws IOException {
    this.target = target;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Keeps all answers once the client sends a text, and lets so many bytes of it pass. */
  void keepAnswers(Pattern from, long bytesToServer) {
    synchronized (monitor) {
      beginning = from;
      left = bytesToServer;
    }
  }

  /**
   * Waits until the server has nothing more to answer, sends the kept answers if asked to, and cuts
   * all connections at once. New ones wait.
   */
  void cut(boolean answers) throws Exception {
    int kept;
    do {
      kept = kept();
      Thread.sleep(50);
    } while (kept != kept());
    synchronized (monitor) {
      for (Pair pair : pairs) {
        if (answers) {
          pair.client.getOutputStream().write(pair.kept.toByteArray());
        }
        pair.client.shutdownOutput(); // a close could drop what the client has not read
        pair.server.close();
      }
      pairs.clear();
    }
  }

  private int kept() {
    synchronized (monitor) {
      return pairs.stream().mapToInt(pair -> pair.kept.size()).sum();
    }
  }

  /** Keeps nothing any more, and lets new connections pass. */
  void pass() {
    synchronized (monitor) {
      beginning = null;
      keeps = false;
      monitor.notifyAll();
    }
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "cutting-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        synchronized (monitor) {
          while (keeps) {
            monitor.wait();
          }
        }
        Pair pair =
            new Pair(
                client,
                new Socket(InetAddress.getLoopbackAddress(), target),
                new ByteArrayOutputStream());
        client.setTcpNoDelay(true);
        pair.server.setTcpNoDelay(true);
        synchronized (monitor) {
          pairs.add(pair);
        }
        start(() -> pass(pair, true));
        start(() -> pass(pair, false));
      }
    } catch (IOException | InterruptedException e) {
      // The proxy is closed.
    }
  }

  private void pass(Pair pair, boolean toServer) {
    byte[] buffer = new byte[16 << 10];
    try {
      InputStream in = (toServer ? pair.client : pair.server).getInputStream();
      OutputStream out = (toServer ? pair.server : pair.client).getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        synchronized (monitor) {
          if (!toServer && keeps) {
            pair.kept.write(buffer, 0, read);
            continue;
          }
          if (!pairs.contains(pair)) {
            continue;
          }
          if (toServer
              && beginning != null
              && beginning.matcher(new String(buffer, 0, read, ISO_8859_1)).find()) {
            beginning = null;
            keeps = true;
          }
          int passing = toServer && keeps ? (int) Math.min(left, read) : read;
          left -= toServer && keeps ? passing : 0;
          out.write(buffer, 0, passing);
          while (passing < read && pairs.contains(pair)) {
            monitor.wait(10); // it reads no more, so the client's buffers become full
          }
        }
      }
    } catch (IOException | InterruptedException e) {
      // One side is gone.
    } finally {
      end(pair, toServer);
    }
  }

  private void end(Pair pair, boolean toServer) {
    synchronized (monitor) {
      if (pairs.remove(pair) || toServer) {
        close(pair.client);
        close(pair.server);
      }
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
  public void close() {
    pass();
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    synchronized (monitor) {
      pairs.forEach(pair -> close(pair.client));
    }
  }
}
