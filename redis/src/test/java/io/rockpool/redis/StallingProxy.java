package io.rockpool.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Passes bytes to a server and back, or keeps them for a while. */
final class StallingProxy implements AutoCloseable {
  private final int target;
  private final ServerSocket listening;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Object monitor = new Object();
  private boolean stalled;

  StallingProxy(int target) throws IOException {
    this.target = target;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Keeps everything, or passes it again. */
  void stall(boolean keeps) {
    synchronized (monitor) {
      stalled = keeps;
      monitor.notifyAll();
    }
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "stalling-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        connect(listening.accept());
      } catch (IOException e) {
        // The proxy is closed, or the server is down.
      }
    }
  }

  private void connect(Socket client) throws IOException {
    Socket server;
    try {
      server = new Socket(InetAddress.getLoopbackAddress(), target);
    } catch (IOException e) {
      client.close();
      throw e;
    }
    sockets.add(client);
    sockets.add(server);
    start(() -> pass(client, server));
    start(() -> pass(server, client));
  }

  private void pass(Socket from, Socket to) {
    byte[] buffer = new byte[64 << 10];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        synchronized (monitor) {
          while (stalled) {
            monitor.wait();
          }
        }
        out.write(buffer, 0, read);
      }
    } catch (IOException | InterruptedException e) {
      // One side is gone.
    }
  }

  @Override
  public void close() {
    stall(false);
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
