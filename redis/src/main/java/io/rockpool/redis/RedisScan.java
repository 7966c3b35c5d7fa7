package io.rockpool.redis;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.rockpool.error.ServerUnavailableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Lists keys of all servers. Blocks none of them for long. */
final class RedisScan {
  /** Keys that a server looks at in one step. */
  private static final int STEP = 1_000;

  private RedisScan() {}

  /** The keys that match a pattern, each once. */
  static List<byte[]> keys(RoundTrips trips, byte[] pattern) {
    NavigableSet<byte[]> found = new TreeSet<>(Arrays::compareUnsigned);
    for (Link link : trips.servers().all()) {
      scan(trips, link, pattern, found::addAll);
    }
    return new ArrayList<>(found);
  }

  /** Passes keys that match a pattern, some perhaps twice. */
  static void scan(RoundTrips trips, Link link, byte[] pattern, Consumer<List<byte[]>> consumer) {
    ScanArgs arguments = ScanArgs.Builder.limit(STEP).match(pattern);
    ScanCursor cursor = ScanCursor.INITIAL;
    do {
      ScanCursor from = cursor;
      KeyScanCursor<byte[]> step;
      try {
        step = trips.write(link, it -> it.call(commands -> commands.scan(from, arguments)));
      } catch (UnsettledException e) {
        throw new ServerUnavailableException(
            e.getMessage() + " Repeat the scan, or check the server.", e);
      }
      consumer.accept(step.getKeys());
      cursor = step;
    } while (!cursor.isFinished());
  }
}
