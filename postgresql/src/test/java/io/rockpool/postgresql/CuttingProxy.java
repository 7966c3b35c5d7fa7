package io.rockpool.postgresql;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Passes bytes between a pool and the server, and cuts connections: all at once, or each after a
 * number of bytes from the server, so also between a commit and its answer.
 */
final class CuttingProxy implements AutoCloseable {
  private final int target;
  private final ServerSocket listening;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicLong bytesLeft = new AtomicLong(Long.MAX_VALUE);
  private final Object monitor = new Object();
  private volatile boolean refusing;
  private boolean parted;

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
    bytesLeft.set(bytes);
  }

  /** Cuts all connections now. */
  void cut() {
    sockets.forEach(CuttingProxy::close);
    sockets.clear();
  }

  /** Cuts all connections, and refuses new ones until told otherwise. */
  void refuse(boolean refuse) {
    refusing = refuse;
    if (refuse) {
      cut();
    }
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
        start("up", () -> pass(client, server, false));
        start("down", () -> pass(server, client, true));
      } catch (IOException e) {
        // The test cuts, or has closed the proxy.
      }
    }
  }

  private void pass(Socket from, Socket to, boolean counted) {
    byte[] buffer = new byte[8 << 10];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        awaitPassage();
        int passed = read;
        if (counted) {
          long left = bytesLeft.getAndAdd(-read);
          if (left < read) {
            passed = (int) Math.max(0, left);
          }
        }
        out.write(buffer, 0, passed);
        out.flush();
        if (passed < read) {
          bytesLeft.set(Long.MAX_VALUE);
          cut();
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
