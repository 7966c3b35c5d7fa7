package io.rockpool.compatibility.machines;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Servers of which one replaces another when that fails. The machines reach them without a proxy.
 */
abstract class FaultyPair<S extends FaultyServer> implements FaultTarget {
  private static final long LAG_MILLIS = 2_000;

  /** How long the old primary stays beside the new one. */
  static final long BOTH_MILLIS = 1_500;

  /** An acknowledgement may be on its way when the server is killed. */
  private static final long ON_ITS_WAY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Each process asks four times a second which server is the primary. */
  private static final long NOTICED_NANOS = TimeUnit.MILLISECONDS.toNanos(1_000);

  private final boolean isLossy;

  /**
   * Servers.
   *
   * @param isLossy whether a failover may lose acknowledged writes
   */
  FaultyPair(boolean isLossy) {
    this.isLossy = isLossy;
  }

  /** A server that is to be replaced, and the one that is to replace it. */
  record Roles<S>(S primary, S standby) {}

  /** The roles of a fault. */
  abstract Roles<S> roles(Random random);

  /** Promotes the standby, or waits until it is promoted. */
  abstract void promote(Roles<S> roles) throws IOException;

  /** Ends the connections by which the primary sends its changes to the standby. */
  abstract void part(Roles<S> roles);

  /** Replaces a primary that works; returns when both know it. */
  abstract void switchOver(Roles<S> roles) throws IOException, InterruptedException;

  /** Whether a switchover may lose what is acknowledged meanwhile. */
  abstract boolean isSwitchoverLossy();

  /** Makes sure that a primary that was stopped can harm nobody when it continues. */
  abstract void fence(S stopped);

  /** Makes the old primary, which may run, the standby of the new one. */
  abstract void rejoin(Roles<S> roles) throws IOException, InterruptedException;

  /** How often a server has been replaced; 0 if servers do not do that by themselves. */
  abstract long epoch() throws IOException;

  private @Nullable Roles<S> replaced;
  private long epoch;

  @Override
  public List<ServerFault> faults() {
    return List.of(
        ServerFault.KILL_PRIMARY,
        ServerFault.STOP_PRIMARY,
        ServerFault.LAGGING_STANDBY,
        ServerFault.SWITCHOVER);
  }

  @Override
  public final @Nullable Loss fail(ServerFault fault, Random random)
      throws IOException, InterruptedException {
    Roles<S> roles = roles(random);
    replaced = roles;
    epoch = epoch();
    long from = System.nanoTime();
    long until;
    boolean loses = isLossy;
    switch (fault) {
      case KILL_PRIMARY -> {
        roles.primary.kill();
        until = System.nanoTime() + ON_ITS_WAY_NANOS;
        promote(roles);
      }
      case STOP_PRIMARY -> {
        roles.primary.signal("STOP");
        promote(roles);
        FaultyServer.rest(BOTH_MILLIS);
        fence(roles.primary);
        until = System.nanoTime() + NOTICED_NANOS;
        FaultyServer.rest(BOTH_MILLIS);
      }
      case LAGGING_STANDBY -> {
        roles.standby.signal("STOP");
        part(roles);
        FaultyServer.rest(LAG_MILLIS);
        until = System.nanoTime() + ON_ITS_WAY_NANOS;
        roles.primary.kill();
        roles.standby.signal("CONT");
        promote(roles);
      }
      case SWITCHOVER -> {
        switchOver(roles);
        until = System.nanoTime() + ON_ITS_WAY_NANOS;
        loses = isSwitchoverLossy();
      }
      default -> throw new IllegalArgumentException("not of several servers: " + fault);
    }
    return loses ? new Loss(from, until, System.nanoTime() + NOTICED_NANOS) : null;
  }

  @Override
  public final boolean isDisturbed() throws IOException {
    return epoch() > epoch + 1;
  }

  @Override
  public final void repair() throws IOException, InterruptedException {
    if (replaced != null) {
      rejoin(replaced);
    }
    replaced = null;
  }
}
