package io.rockpool.compatibility.machines;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rockpool.Rockpool;
import io.rockpool.compatibility.machines.MachineOperation.Life;
import io.rockpool.error.ServerUnavailableException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The main class of a machine: a process with a store on the server, which works when told. It ends
 * when its standard input does.
 */
final class MachineMain {
  static final String OPEN = "open";
  static final String ROUND = "round ";
  static final String READ = "read ";
  static final String STOP = "stop";
  static final String STOPPED = "stopped";

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private MachineMain() {}

  /** Arguments: URI, machine, life, milliseconds that its clock is ahead, directory of logs. */
  public static void main(String[] arguments) throws Exception {
    Life process = new Life(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
    URI uri = URI.create(arguments[0]);
    Path logs = Path.of(arguments[4]);
    PauseLog.start(logs, process);
    boolean collections = uri.getScheme().equals("postgresql");
    MachineWork work = null;
    try (Rockpool pool = open(uri, Long.parseLong(arguments[3]));
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      System.out.println(OPEN);
      for (String order = orders.readLine(); order != null; order = orders.readLine()) {
        if (order.startsWith(ROUND)) {
          int round = Integer.parseInt(order.substring(ROUND.length()));
          Path directory = logs.resolve(Integer.toString(round));
          Files.createDirectories(directory);
          work = new MachineWork(pool, process, round, directory);
          work.startCaches();
          if (collections) {
            work.startCollections();
          }
        } else if (order.startsWith(READ)) {
          int round = Integer.parseInt(order.substring(READ.length()));
          System.out.println(String.join(" ", MachineWork.lastHot(pool, round)));
        } else if (work != null) {
          List<String> hanging = work.stop(PATIENCE);
          System.out.println(STOPPED + (hanging.isEmpty() ? "" : " " + hanging));
        }
      }
    }
    // A thread that hangs is no reason to stay.
    Runtime.getRuntime().halt(0);
  }

  /** The server may be away while a machine starts. */
  private static Rockpool open(URI uri, long aheadMillis) throws IOException, InterruptedException {
    InstantSource system = InstantSource.system();
    InstantSource clock =
        aheadMillis == 0 ? system : InstantSource.offset(system, Duration.ofMillis(aheadMillis));
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return Rockpool.at(uri).clock(clock).open();
      } catch (ServerUnavailableException e) {
        if (System.nanoTime() > end) {
          throw new IOException("The server is away for too long.", e);
        }
        TimeUnit.MILLISECONDS.sleep(50);
      }
    }
  }
}
