package io.rockpool.compatibility.machines;

import io.rockpool.testing.tools.Processes;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server of a test on loopback, which is killed, stopped and started again on its data. */
abstract class FaultyServer implements FaultTarget {
  private static final long STOPPED_MILLIS = 5_000;
  private static final int FEED_LOSSES = 5;

  /** The processes of the server, the first one first. */
  abstract List<ProcessHandle> processes();

  /** Starts it again on its data, and waits until it answers. */
  abstract void start() throws IOException;

  /** Kills all processes of the server as {@code kill -9} does. */
  abstract void kill();

  /** Ends the connections by which it reports changes, and perhaps others. */
  abstract void endFeeds();

  @Override
  public List<ServerFault> faults() {
    return List.of(
        ServerFault.KILL_SERVER,
        ServerFault.KILL_MACHINE,
        ServerFault.PARTITION,
        ServerFault.STOP_SERVER,
        ServerFault.STOP_MACHINE,
        ServerFault.SLOW_LINK,
        ServerFault.LOST_FEED,
        ServerFault.WRONG_CLOCK);
  }

  @Override
  public @Nullable Loss fail(ServerFault fault, Random random)
      throws IOException, InterruptedException {
    switch (fault) {
      case KILL_SERVER -> {
        kill();
        rest(50 + random.nextInt(450));
        start();
      }
      case STOP_SERVER -> {
        signal("STOP");
        rest(STOPPED_MILLIS);
        signal("CONT");
      }
      case LOST_FEED -> {
        for (int i = 0; i < FEED_LOSSES; i++) {
          endFeeds();
          rest(100 + random.nextInt(300));
        }
      }
      default -> throw new IllegalArgumentException("not of one server: " + fault);
    }
    return null;
  }

  @Override
  public void repair() {}

  static void rest(long millis) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(millis);
  }

  /** Sends a signal to all processes of the server. */
  final void signal(String name) {
    Processes.signal(name, processes());
  }
}
