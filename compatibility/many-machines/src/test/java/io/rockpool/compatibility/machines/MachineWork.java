package io.rockpool.compatibility.machines;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.compatibility.machines.MachineOperation.Kind;
import io.rockpool.compatibility.machines.MachineOperation.Life;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.queue.Delivery;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the threads of one machine do in a round: calls of every kind on names and keys that belong
 * to the round, all noted.
 */
final class MachineWork {
  static final int MACHINES = 3;
  static final String COLD = "cold";
  static final String HOT = "hot";
  static final String MAP = "map";

  /** Keys that are put once. */
  static final String ONCE = "once";

  static final int ACCOUNTS = 5;
  static final long BALANCE = 100;
  static final Duration VISIBILITY = Duration.ofSeconds(1);

  private static final int KEYS = 3;
  private static final int HOT_READS = 10;

  /** Half of the hot keys are written for so long only, so that some are not after a fault. */
  private static final long WRITTEN_MILLIS = 200;

  private static final int MAX_SHORT_KEYS = 150;

  /** A pause between calls: the machines share the processors with the server. */
  private static final int PAUSE_MILLIS = 4;

  private static final int PAUSE_AFTER_FAILURE_MILLIS = 40;

  private final Rockpool pool;
  private final Life process;
  private final int round;
  private final Path logs;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong values;
  private final long startNanos = System.nanoTime();
  private volatile boolean ended;

  /** One call or a few; returns false if it failed. */
  private interface Step {
    boolean run(OperationLog log, Random random);
  }

  /** The work of a process in a round, noted in a directory. */
  MachineWork(Rockpool pool, Life process, int round, Path logs) {
    this.pool = pool;
    this.process = process;
    this.round = round;
    this.logs = logs;
    long lives = (long) process.machine() << 16 | process.life();
    this.values = new AtomicLong(lives << 32);
  }

  /** The names of a round's objects. */
  static String name(String of, int round) {
    return of + "-" + round;
  }

  static PersistentCache<String, Long> cold(Rockpool pool) {
    return pool.cache(COLD, String.class, Long.class, o -> o.hotEntries(0));
  }

  static PersistentCache<String, Long> hot(Rockpool pool) {
    return pool.cache(HOT, String.class, Long.class);
  }

  static PersistentMap<String, Long> map(Rockpool pool) {
    return pool.map(MAP, String.class, Long.class);
  }

  static PersistentMap<String, Long> accounts(Rockpool pool, int round) {
    return pool.map(name("bank", round), String.class, Long.class);
  }

  static PersistentMap<Long, String> ledger(Rockpool pool, int round) {
    return pool.map(name("ledger", round), Long.class, String.class);
  }

  static PersistentDeque<Long> deque(Rockpool pool, int round) {
    return pool.deque(name("deque", round), Long.class);
  }

  static PersistentQueue<Long> queue(Rockpool pool, int round) {
    return pool.queue(name("queue", round), Long.class, o -> o.visibilityTimeout(VISIBILITY));
  }

  /** Starts the threads of the caches. */
  void startCaches() {
    PersistentCache<String, Long> cold = opened(() -> cold(pool));
    ConcurrentMap<String, Long> entries = cold.asMap();
    start("cold1", (log, random) -> register(log, random, COLD, entries, cold::put));
    start("cold2", (log, random) -> register(log, random, COLD, entries, cold::put));
    start("once", (log, random) -> once(log, cold));
    PersistentCache<String, Long> hot = opened(() -> hot(pool));
    start("hot1", (log, random) -> hot(log, random, hot));
    start("hot2", (log, random) -> hotReads(log, random, hot));
  }

  /** Starts the threads of the collections. */
  void startCollections() {
    PersistentMap<String, Long> map = opened(() -> map(pool));
    start("map", (log, random) -> register(log, random, MAP, map, map::put));
    PersistentMap<String, Long> accounts = opened(() -> accounts(pool, round));
    PersistentMap<Long, String> ledger = opened(() -> ledger(pool, round));
    start("bank", (log, random) -> transfer(log, random, accounts, ledger));
    PersistentDeque<Long> deque = opened(() -> deque(pool, round));
    start("deque", (log, random) -> ends(log, random, deque));
    PersistentQueue<Long> queue = opened(() -> queue(pool, round));
    start("queue", (log, random) -> deliver(log, random, queue));
  }

  /** Opens a name, again if the server went away meanwhile: it does no harm. */
  private static <T> T opened(Supplier<T> opening) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (true) {
      try {
        return opening.get();
      } catch (ServerUnavailableException | OutcomeUnknownException e) {
        if (System.nanoTime() > end) {
          throw e;
        }
      }
    }
  }

  private void start(String name, Step step) {
    Thread thread =
        new Thread(
            () -> {
              try (OperationLog log = new OperationLog(logs, process, name)) {
                repeat(log, step);
              }
            },
            "work-" + name);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private void repeat(OperationLog log, Step step) {
    Random random = new Random();
    try {
      while (!ended) {
        boolean made = step.run(log, random);
        Thread.sleep(made ? random.nextInt(2 * PAUSE_MILLIS) : PAUSE_AFTER_FAILURE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      log.fail("step", e);
    }
  }

  /** Lets the threads end their calls. Returns the names of those that did not, with a stack. */
  List<String> stop(Duration patience) throws InterruptedException {
    ended = true;
    long end = System.nanoTime() + patience.toNanos();
    List<String> hanging = new ArrayList<>();
    for (Thread thread : threads) {
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
      if (thread.isAlive()) {
        hanging.add(thread.getName() + " " + List.of(thread.getStackTrace()));
      }
    }
    return hanging;
  }

  private boolean register(
      OperationLog log,
      Random random,
      String of,
      ConcurrentMap<String, Long> entries,
      BiConsumer<String, Long> put) {
    String key = of + "." + round + "." + random.nextInt(KEYS);
    long value = values.incrementAndGet();
    switch (random.nextInt(6)) {
      case 0 -> log.note(Kind.PUT, key, value, null, () -> put(put, key, value));
      case 1 -> log.note(Kind.REMOVE, key, null, null, () -> entries.remove(key) != null ? 1L : 0);
      case 2 ->
          log.note(Kind.PUT_IF_ABSENT, key, value, null, () -> entries.putIfAbsent(key, value));
      case 3 -> {
        Long before = log.note(Kind.GET, key, null, null, () -> entries.get(key));
        if (before != null) {
          log.note(
              Kind.REPLACE, key, value, before, () -> entries.replace(key, before, value) ? 1L : 0);
        }
      }
      default -> log.note(Kind.GET, key, null, null, () -> entries.get(key));
    }
    return log.lastReturned();
  }

  private static @Nullable Long put(BiConsumer<String, Long> put, String key, long value) {
    put.accept(key, value);
    return null;
  }

  private boolean once(OperationLog log, PersistentCache<String, Long> cold) {
    long value = values.incrementAndGet();
    String key = ONCE + "." + round + "." + value;
    log.note(Kind.PUT, key, value, null, () -> put(cold::put, key, value));
    return log.lastReturned();
  }

  private static String hotKey(int round, int machine) {
    return HOT + "." + round + "." + machine;
  }

  private static String hotKey(int round, int machine, int number) {
    return hotKey(round, machine) + "." + number;
  }

  /** A key that this process has begun to write, or may have if it had started with the others. */
  private String anyHotKey(int machine, Random random, boolean newest) {
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    int number = (int) Math.min(millis / WRITTEN_MILLIS, MAX_SHORT_KEYS - 1);
    return random.nextBoolean()
        ? hotKey(round, machine)
        : hotKey(round, machine, newest ? number : random.nextInt(number + 1));
  }

  /** What the hot keys of a round are read as. */
  static List<String> lastHot(Rockpool pool, int round) {
    PersistentCache<String, Long> hot = opened(() -> hot(pool));
    List<String> keys = new ArrayList<>();
    for (int machine = 0; machine < MACHINES; machine++) {
      keys.add(hotKey(round, machine));
      for (int number = 0; number < MAX_SHORT_KEYS; number++) {
        keys.add(hotKey(round, machine, number));
      }
    }
    return keys.stream().map(key -> key + "=" + opened(() -> orNone(hot.get(key)))).toList();
  }

  private static String orNone(@Nullable Long value) {
    return value == null ? "none" : value.toString();
  }

  private boolean hot(OperationLog log, Random random, PersistentCache<String, Long> hot) {
    String key = anyHotKey(process.machine(), random, true);
    long value = System.nanoTime();
    log.note(
        Kind.HOT_PUT,
        key,
        value,
        null,
        () -> {
          hot.put(key, value);
          return null;
        });
    return log.lastReturned() && hotReads(log, random, hot);
  }

  private boolean hotReads(OperationLog log, Random random, PersistentCache<String, Long> hot) {
    for (int i = 0; i < HOT_READS; i++) {
      String key = anyHotKey(random.nextInt(MACHINES), random, false);
      log.note(Kind.HOT_GET, key, null, null, () -> hot.get(key));
      if (!log.lastReturned()) {
        return false;
      }
    }
    return true;
  }

  private boolean transfer(
      OperationLog log,
      Random random,
      PersistentMap<String, Long> accounts,
      PersistentMap<Long, String> ledger) {
    String name = name("bank", round);
    if (random.nextInt(4) == 0) {
      log.note(Kind.SUM, name, null, null, () -> pool.atomically(tx -> sum(accounts)));
      return log.lastReturned();
    }
    int from = random.nextInt(ACCOUNTS);
    int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
    long amount = 1L + random.nextInt(20);
    long id = values.incrementAndGet();
    log.note(
        Kind.TRANSFER,
        name,
        id,
        null,
        () -> {
          pool.runAtomically(
              tx -> {
                accounts.put("a" + from, balance(accounts, from) - amount);
                accounts.put("a" + to, balance(accounts, to) + amount);
                ledger.put(id, from + ">" + to + ":" + amount);
              });
          return null;
        });
    return log.lastReturned();
  }

  static long sum(PersistentMap<String, Long> accounts) {
    long sum = 0;
    for (int account = 0; account < ACCOUNTS; account++) {
      sum += balance(accounts, account);
    }
    return sum;
  }

  /** Each account has its balance from the beginning: nothing is written before. */
  static long balance(PersistentMap<String, Long> accounts, int account) {
    Long balance = accounts.get("a" + account);
    return balance == null ? BALANCE : balance;
  }

  private boolean ends(OperationLog log, Random random, PersistentDeque<Long> deque) {
    String name = name("deque", round);
    if (random.nextInt(5) < 3) {
      long id = values.incrementAndGet();
      boolean first = random.nextBoolean();
      log.note(
          Kind.ADD,
          name,
          id,
          null,
          () -> {
            if (first) {
              deque.addFirst(id);
            } else {
              deque.addLast(id);
            }
            return null;
          });
    } else if (random.nextBoolean()) {
      log.note(Kind.POLL, name, null, null, deque::pollFirst);
    } else {
      log.note(Kind.POLL, name, null, null, deque::pollLast);
    }
    return log.lastReturned();
  }

  private boolean deliver(OperationLog log, Random random, PersistentQueue<Long> queue) {
    String name = name("queue", round);
    if (random.nextBoolean()) {
      long id = values.incrementAndGet();
      log.note(
          Kind.SEND,
          name,
          id,
          null,
          () -> {
            queue.send(id);
            return null;
          });
      return log.lastReturned();
    }
    List<Delivery<Long>> received = new ArrayList<>();
    log.note(
        Kind.RECEIVE,
        name,
        null,
        null,
        () -> {
          Optional<Delivery<Long>> delivery = queue.receive();
          delivery.ifPresent(received::add);
          return delivery.map(Delivery::message).orElse(null);
        });
    for (Delivery<Long> delivery : received) {
      log.note(
          Kind.ACKNOWLEDGE, name, delivery.message(), null, () -> delivery.acknowledge() ? 1L : 0);
    }
    return log.lastReturned();
  }
}
