package io.rockpool.engine.rocksdb;

import io.rockpool.Rockpool;
import io.rockpool.backup.DirectoryTarget;
import io.rockpool.cache.PersistentCache;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.queue.Delivery;
import io.rockpool.queue.PersistentQueue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Fills, reads, iterates, backs up and compacts a store, and says how much memory that took. */
final class SmallMachine {
  private static final int VALUE_BYTES = 1_000;
  private static final int BULK = 100;

  /** For a step with so many entries; a step with more takes longer. */
  private static final Duration LEASE = Duration.ofMinutes(2);

  private static final int LEASE_ENTRIES = 150_000;

  private SmallMachine() {}

  /** The arguments are a directory and the number of entries. */
  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    int entries = Integer.parseInt(arguments[1]);
    Duration lease = LEASE.multipliedBy(1 + (entries - 1) / LEASE_ENTRIES);
    long begun = System.nanoTime();
    try (Rockpool pool = Rockpool.open(directory.resolve("store"))) {
      say("opened", begun);
      PersistentQueue<String> queue =
          pool.queue("queue", String.class, o -> o.visibilityTimeout(lease));
      queue.send("leased");
      Delivery<String> leased = queue.receive().orElseThrow();
      PersistentCache<Integer, byte[]> cache = pool.cache("cache", Integer.class, byte[].class);
      fill(cache, entries);
      say("filled", begun);
      check(leased.extend(lease), "the lease is lost while it is filled");
      Random random = new Random(1);
      for (int i = 0; i < entries; i++) {
        check(cache.get(random.nextInt(entries)) != null, "an entry is missing");
      }
      int found = 0;
      for (Map.Entry<Integer, byte[]> entry : cache) {
        found += entry.getValue().length / VALUE_BYTES;
      }
      check(found == entries, "found " + found);
      say("read", begun);
      check(leased.extend(lease), "the lease is lost while it is read");
      pool.backups().make(DirectoryTarget.at(directory.resolve("backup")));
      EngineUpkeep.of(Internals.store(pool).engine()).compact();
      say("compacted", begun);
      check(leased.acknowledge(), "the lease is lost");
      check(pool.verify().isClean(), "it is damaged");
    }
    String peak =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("VmHWM:"))
            .map(line -> line.replaceAll("\\D", ""))
            .findFirst()
            .orElseThrow();
    System.out.println("peak " + peak);
  }

  private static void fill(PersistentCache<Integer, byte[]> cache, int entries) {
    Random random = new Random(2);
    for (int from = 0; from < entries; from += BULK) {
      Map<Integer, byte[]> bulk = new HashMap<>();
      for (int key = from; key < Math.min(entries, from + BULK); key++) {
        byte[] value = new byte[VALUE_BYTES];
        random.nextBytes(value);
        bulk.put(key, value);
      }
      cache.putAll(bulk);
    }
  }

  private static void say(String step, long begunNanos) {
    System.out.println(
        step + " " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos) + " ms");
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }
}
