package io.rockpool.compatibility.machines;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** What the machines of a campaign work on: a server, or several of which one replaces another. */
interface FaultTarget extends AutoCloseable {
  /** The port that the networks of the machines lead to. */
  int port();

  /** The URI of the store, by way of a port where the target has one server. */
  URI uri(int at);

  /** The faults to inject in turn. */
  List<ServerFault> faults();

  /**
   * Injects a fault of the servers. Returns when they serve again.
   *
   * @return what may be lost; null if nothing may
   */
  @Nullable Loss fail(ServerFault fault, Random random) throws IOException, InterruptedException;

  /**
   * Whether the servers have replaced each other once more, because they were too slow to answer.
   * What such a round has lost says nothing about the fault.
   */
  default boolean isDisturbed() throws IOException {
    return false;
  }

  /** Makes ready for the next fault. */
  void repair() throws IOException, InterruptedException;

  @Override
  void close() throws IOException;
}
