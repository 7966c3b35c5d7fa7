package io.rockpool.compatibility.machines;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The network between one machine and the server: passes bytes, late, or not at all for a while, or
 * cuts connections. What was sent while nothing passes arrives afterwards, as TCP sends it again;
 * new connections get no answer meanwhile.
 */
final class FaultProxy implements AutoCloseable {
  private final int target;
  private final ServerSocket listening;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Object monitor = new Object();
  private boolean parted;
  private volatile long delayMillis;
  private volatile long answerMillis;

  FaultProxy(int target) throws IOException {
    this.target = target;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Lets nothing pass in either direction, or everything again. */
  void part(boolean apart) {
    synchronized (monitor) {
      parted = apart;
      monitor.notifyAll();
    }
  }

  /** Delays what passes in each direction. */
  void delay(long millis) {
    delayMillis = millis;
  }

  /** Delays what the server sends, besides. */
  void delayAnswers(long millis) {
    answerMillis = millis;
  }

  /** Cuts all connections now. */
  void cut() {
    sockets.removeIf( // not those that are added meanwhile
        socket -> {
          close(socket);
          return true;
        });
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "fault-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        start(() -> connect(client));
      } catch (IOException e) {
        // The proxy is closed.
      }
    }
  }

  private void connect(Socket client) {
    try {
      awaitPassage(0);
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      sockets.add(client);
      sockets.add(server);
      start(() -> pass(client, server, false));
      pass(server, client, true);
    } catch (IOException e) {
      close(client);
    }
  }

  private void awaitPassage(long moreMillis) throws IOException {
    try {
      long delay = delayMillis + moreMillis;
      if (delay > 0) {
        TimeUnit.MILLISECONDS.sleep(delay);
      }
      synchronized (monitor) {
        while (parted) {
          monitor.wait();
        }
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private void pass(Socket from, Socket to, boolean isAnswer) {
    byte[] buffer = new byte[64 << 10];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        awaitPassage(isAnswer ? answerMillis : 0);
        out.write(buffer, 0, read);
      }
      awaitPassage(0);
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
