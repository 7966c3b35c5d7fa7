package io.rockpool.sample.world;

/**
 * Who made an answer, and how long it took.
 *
 * @param pid the process, which may be long dead
 */
public record Making(long pid, long micros) {
  /** Since a time of {@link System#nanoTime}. */
  static Making since(long beganNanos) {
    return new Making(ProcessHandle.current().pid(), (System.nanoTime() - beganNanos) / 1_000);
  }
}
