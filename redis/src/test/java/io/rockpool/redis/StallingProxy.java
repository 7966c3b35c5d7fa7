package io.rockpool.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Passes bytes to a server and back, late, or keeps them for a while. */
final class StallingProxy implements AutoCloseable {
  private final int target;
  private final ServerSocket listening;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Object monitor = new Object();
  private boolean stalled;
  private volatile long delayNanos;

  /** The answer to the next bytes to the server that contain this is late. */
  private volatile String delayed;

  private volatile long lateNanos;

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

  /** Adds this to the time that each answer needs. */
  void delayAnswers(long nanos) {
    delayNanos = nanos;
  }

  /** Adds this to the time of the answer to the next command that contains a text. */
  void delayAnswer(String command, long nanos) {
    lateNanos = nanos;
    delayed = command;
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
    AtomicLong late = new AtomicLong();
    start(() -> pass(client, server, (buffer, read) -> sent(buffer, read, late)));
    start(() -> pass(server, client, (buffer, read) -> answered(late)));
  }

  /** Is told what is about to pass. */
  private interface Passage {
    void pass(byte[] buffer, int read);
  }

  private void sent(byte[] buffer, int read, AtomicLong late) {
    String text = delayed;
    if (text != null && new String(buffer, 0, read, StandardCharsets.UTF_8).contains(text)) {
      delayed = null;
      late.set(lateNanos);
    }
  }

  private void answered(AtomicLong late) {
    LockSupport.parkNanos(delayNanos + late.getAndSet(0));
  }

  private void pass(Socket from, Socket to, Passage passage) {
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
        passage.pass(buffer, read);
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
