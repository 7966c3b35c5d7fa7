package io.rockpool.redis;

import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.internal.engine.BackgroundThread;
import io.rockpool.internal.engine.LayerSweeps;
import io.rockpool.internal.engine.Upkeep;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Removes entries of generations that are over, and all of spaces that have ended. They are
 * invisible, but need memory. The process that cleared or dropped does it, on a thread of its own;
 * if it ends before, another one does when it opens, or each half hour.
 */
final class Garbage implements AutoCloseable {
  private static final String THREAD = "rockpool-redis-garbage";

  /** How often layers sweep their records: a scan of all keys for each space that has some. */
  private static final Duration PERIOD = Duration.ofMinutes(30);

  /** For how long a process owns the sweeps of layers; it renews that each period. */
  private static final long OWNED_MILLIS = Duration.ofMinutes(40).toMillis();

  /** The owner may not have opened what only its users can sweep: every 6 hours. */
  private static final int PERIODS_OF_OTHERS = 12;

  /**
   * Between a clear and its sweep. Loads replace most entries meanwhile; the report of a swept one
   * would keep a load that runs from being stored.
   */
  private static final long AFTER_CLEAR_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final long AFTER_FAILURE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Between two steps over some 1,000 keys, so that the server serves the others. */
  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final RoundTrips trips;
  private final KeyNames keys;
  private final RedisCatalog catalog;
  private final DueSweep due;
  private final InstantSource clock;
  private final AtomicBoolean waiting = new AtomicBoolean();
  private final BackgroundThread thread;
  private final byte[] owner = ByteBuffer.allocate(Long.BYTES).putLong(newOwner()).array();
  private int periods;

  Garbage(
      RoundTrips trips,
      KeyNames keys,
      RedisCatalog catalog,
      DueSweep due,
      InstantSource clock,
      LayerSweeps sweeps,
      Upkeep upkeep) {
    this.trips = trips;
    this.keys = keys;
    this.catalog = catalog;
    this.due = due;
    this.clock = clock;
    this.thread = new BackgroundThread(THREAD, PERIOD, () -> sweepPeriodically(sweeps), upkeep);
  }

  private static long newOwner() {
    return ThreadLocalRandom.current().nextLong();
  }

  /** Sweeps what is due, and what any process can sweep if this one is the owner. */
  void sweepPeriodically(LayerSweeps sweeps) {
    try {
      sweepIfDue();
      if (own() || periods++ % PERIODS_OF_OTHERS == 0) {
        sweeps.run();
      }
    } catch (ServerUnavailableException | OutcomeUnknownException | UnsettledException e) {
      // The next period sweeps. The state of the servers has the failure.
    }
  }

  /** Makes this process the owner if there is none, or for longer; returns whether it is. */
  boolean own() {
    byte[] found = own(false);
    return found == null || (Arrays.equals(found, owner) && own(true) == null);
  }

  /** Returns the owner that stays. */
  private byte @Nullable [] own(boolean again) {
    byte[] key = keys.owner();
    return trips.<byte @Nullable []>write(
        KeyNames.slotOfOwner(),
        link -> {
          RedisBatch batch = new RedisBatch();
          if (again) {
            CompletableFuture<Long> unused = batch.delete(key);
          }
          CompletableFuture<byte[]> found = batch.getOrSet(key, owner, OWNED_MILLIS);
          link.send(batch);
          return found.join();
        });
  }

  /** Starts the sweeps of the layers above, and one of what an ended process left. */
  void start() {
    boolean unused = thread.execute(this::sweepIfDue);
  }

  /** The note of what ended processes left. */
  DueSweep due() {
    return due;
  }

  private void sweepIfDue() {
    try {
      if (due.claim()) {
        sweepLater();
      }
    } catch (ServerUnavailableException e) {
      // The next period looks again.
    }
  }

  /** Sweeps in the background, unless a sweep is waiting to start. */
  void sweepLater() {
    sweepAfter(0);
  }

  /** As {@link #sweepLater}, but lets caches that were cleared be filled again before. */
  void sweepAfterClear() {
    sweepAfter(AFTER_CLEAR_NANOS);
  }

  private void sweepAfter(long nanos) {
    if (waiting.compareAndSet(false, true)) {
      boolean unused = thread.execute(() -> sweepNow(nanos));
    }
  }

  private void sweepNow(long nanos) {
    boolean isOpen = nanos == 0 || thread.rest(nanos);
    waiting.set(false);
    if (isOpen) {
      try {
        long unused = sweep(true);
      } catch (ServerUnavailableException e) {
        sweepAfter(AFTER_FAILURE_NANOS); // the state of the servers has the failure
      }
    }
  }

  /** Sweeps all keys with the prefix; returns how many were removed. */
  long sweep(boolean resting) {
    byte[] note = due.read();
    if (note != null) {
      boolean unused = due.claim(note);
    }
    boolean[] whole = {true};
    long[] removed = new long[1];
    byte[] pattern = keys.all();
    for (Link link : trips.servers().all()) {
      RedisScan.scan(
          trips,
          link,
          pattern,
          found -> {
            if (!resting || thread.rest(REST_NANOS)) {
              removed[0] += removeDead(link, found);
            } else {
              whole[0] = false;
            }
          });
    }
    if (note != null && whole[0]) {
      due.done(note);
    }
    return removed[0];
  }

  /**
   * The catalog is read after the keys, so it has the space of each key, or the space has ended.
   */
  private long removeDead(Link link, List<byte[]> found) {
    Set<Long> there = new HashSet<>();
    catalog.list("").forEach(entry -> there.add(entry.id()));
    List<byte[]> ended = new ArrayList<>();
    List<byte[]> suspects = new ArrayList<>();
    for (byte[] key : found) {
      KeyNames.Changed parsed = keys.parse(key);
      if (parsed != null) {
        if (!there.contains(parsed.space())) {
          ended.add(key);
        } else if (parsed.hashKey() != null) {
          suspects.add(key);
        }
      }
    }
    return unlink(link, ended) + removeOld(link, suspects);
  }

  private long unlink(Link link, List<byte[]> ended) {
    return sendAll(link, batch -> ended.stream().map(batch::unlink).toList()).stream()
        .mapToLong(removed -> removed)
        .sum();
  }

  /** Sends commands that may be repeated; returns their answers. */
  private <T> List<T> sendAll(
      Link link, Function<RedisBatch, List<CompletableFuture<T>>> commands) {
    return trips.read(
        link,
        it -> {
          RedisBatch batch = new RedisBatch();
          List<CompletableFuture<T>> answers = commands.apply(batch);
          if (!batch.isEmpty()) {
            it.send(batch);
          }
          return answers.stream().map(CompletableFuture::join).toList();
        });
  }

  private long removeOld(Link link, List<byte[]> suspects) {
    int count = suspects.size();
    List<byte[]> read =
        sendAll(
            link,
            batch ->
                Stream.concat(
                        suspects.stream().map(key -> batch.getRange(key, 1, Long.BYTES)),
                        suspects.stream().map(key -> batch.get(keys.generationOf(key))))
                    .toList());
    long nowMillis = clock.millis();
    return sendAll(
            link,
            batch -> {
              List<CompletableFuture<List<Object>>> removed = new ArrayList<>();
              for (int i = 0; i < count; i++) {
                byte[] id = read.get(i);
                BucketGeneration generation = BucketGeneration.of(read.get(count + i));
                if (id.length == Long.BYTES
                    && generation != null
                    && (generation.isOver(nowMillis)
                        || ByteBuffer.wrap(id).getLong() != generation.id())) {
                  removed.add(batch.run(Scripts.SWEEP, List.of(suspects.get(i)), List.of(id)));
                }
              }
              return removed;
            })
        .stream()
        .mapToLong(answer -> (Long) answer.get(0))
        .sum();
  }

  @Override
  public void close() {
    thread.close();
  }
}
