package io.rockpool.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.rockpool.engine.Expiry;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.error.StoreFullException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads and replaces the generations of buckets. A bucket without one, because its space has ended
 * or the server has evicted it, gets a new one if the catalog still has the space.
 */
final class RedisGenerations {
  private static final byte[] IF_ABSENT = {'N', 'X'};

  /** How often a generation is set that the server evicts before it can be read. */
  private static final int RESTORES = 3;

  private static final Logger LOG = LoggerFactory.getLogger("io.rockpool.redis");
  private static final long WARNING_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final String EVICTED =
      "The Redis server evicts at once what it has stored: it needs more memory for itself than"
          + " its maxmemory. Raise maxmemory.";

  private final RoundTrips trips;
  private final KeyNames keys;
  private final RedisCatalog catalog;
  private final LostNames lost;
  private final InstantSource clock;
  private final AtomicLong nextWarningNanos = new AtomicLong(System.nanoTime());

  RedisGenerations(
      RoundTrips trips, KeyNames keys, RedisCatalog catalog, LostNames lost, InstantSource clock) {
    this.trips = trips;
    this.keys = keys;
    this.catalog = catalog;
    this.lost = lost;
    this.clock = clock;
  }

  /**
   * Remembers a generation as read; creates one if there is none.
   *
   * @throws CorruptStoreException if something else is there
   */
  BucketGeneration learn(RedisSpaceState state, int bucket, byte @Nullable [] bytes) {
    BucketGeneration read = BucketGeneration.of(bytes);
    if (read == null) {
      if (bytes == null) {
        return restore(state, bucket);
      }
      throw new CorruptStoreException(
          "The Redis server has other bytes where \""
              + state.name
              + "\" has the generation of a bucket: something else wrote them. Clear the cache, and"
              + " give each program a prefix of its own.",
          (Throwable) null);
    }
    if (!read.equals(state.generation(bucket))) {
      state.learn(bucket, read);
    }
    return read;
  }

  /** Reads the generations of buckets that are not known, with one round trip to their server. */
  void learnAll(Link owner, RedisSpaceState state, Collection<Integer> buckets) {
    RedisBatch batch = trips.batch();
    Map<Integer, CompletableFuture<byte[]>> read = new HashMap<>();
    for (int bucket : buckets) {
      if (state.generation(bucket) == null && !read.containsKey(bucket)) {
        read.put(bucket, batch.get(keys.generation(state.id, bucket)));
      }
    }
    if (read.size() < 2) {
      return;
    }
    try {
      owner.send(batch);
    } catch (ServerUnavailableException | UnsettledException | RedisCommandExecutionException e) {
      return; // each is read by itself
    }
    read.forEach(
        (bucket, bytes) -> {
          BucketGeneration unused = learn(state, bucket, bytes.join());
        });
  }

  /** The generation to write in: the one last read, or a new one if that is over. */
  BucketGeneration current(RedisSpaceState state, int bucket, long nowMillis) {
    BucketGeneration known = state.generation(bucket);
    if (known == null) {
      known = reread(state, bucket);
    }
    return known.isOver(nowMillis) ? renew(state, bucket, known) : known;
  }

  /** The generation that the server has now. */
  BucketGeneration reread(RedisSpaceState state, int bucket) {
    return learn(state, bucket, read(state, bucket));
  }

  private byte @Nullable [] read(RedisSpaceState state, int bucket) {
    byte[] key = keys.generation(state.id, bucket);
    return trips.<byte @Nullable []>read(
        KeyNames.slotOfBucket(bucket),
        link -> {
          RedisBatch batch = trips.batch();
          CompletableFuture<byte[]> found = batch.get(key);
          link.send(batch);
          return found.join();
        });
  }

  private BucketGeneration renew(RedisSpaceState state, int bucket, BucketGeneration over) {
    byte[] key = keys.generation(state.id, bucket);
    byte[] fresh = BucketGeneration.fresh().bytes();
    catalog.noteSweep();
    try {
      List<Object> unused =
          trips.write(
              KeyNames.slotOfBucket(bucket),
              link -> {
                RedisBatch batch = trips.batch();
                CompletableFuture<List<Object>> answer =
                    batch.run(Scripts.REPLACE, List.of(key), List.of(over.bytes(), fresh));
                link.send(batch);
                return answer.join();
              });
    } catch (UnsettledException e) {
      // The read shows what became of it.
    }
    return reread(state, bucket);
  }

  private BucketGeneration restore(RedisSpaceState state, int bucket) {
    for (int i = 0; i < RESTORES; i++) {
      byte @Nullable [] found = restoreOnce(state, bucket);
      if (found != null) {
        return learn(state, bucket, found);
      }
    }
    long nowNanos = System.nanoTime();
    long nextNanos = nextWarningNanos.get();
    if (nowNanos - nextNanos >= 0
        && nextWarningNanos.compareAndSet(nextNanos, nowNanos + WARNING_NANOS)) {
      LOG.warn("{} Until then, reads miss and nothing is stored.", EVICTED);
    }
    throw new StoreFullException(EVICTED, null);
  }

  private byte @Nullable [] restoreOnce(RedisSpaceState state, int bucket) {
    CatalogEntry entry = requireThere(state);
    BucketGeneration fresh = fresh(entry.infoAt(clock.millis()).expiresMillis());
    byte[] key = keys.generation(state.id, bucket);
    byte @Nullable [] found;
    try {
      found =
          restore(
              bucket,
              key,
              batch -> {
                var unused = batch.setIfAbsent(key, fresh.bytes());
              });
    } catch (StoreFullException e) {
      found = restore(bucket, key, batch -> setOnFull(batch, key, fresh, true));
    }
    try {
      CatalogEntry unused = requireThere(state, catalog.findCleared(state.name));
    } catch (IllegalStateException e) {
      removeAll(state.id); // the drop may not have seen it
      throw e;
    }
    return found;
  }

  private byte @Nullable [] restore(int bucket, byte[] key, Consumer<RedisBatch> setting) {
    return trips.<byte @Nullable []>read(
        KeyNames.slotOfBucket(bucket),
        link -> {
          RedisBatch batch = trips.batch();
          setting.accept(batch);
          CompletableFuture<byte[]> there = batch.get(key);
          link.send(batch);
          return there.join();
        });
  }

  /**
   * The catalog's entry of a space. Ends the handles of one that was dropped, and puts back what
   * the server has lost.
   *
   * @throws SpaceMovedException if the space is another one now
   */
  CatalogEntry requireThere(RedisSpaceState state) {
    state.checkThere();
    return requireThere(state, catalog.find(state.name));
  }

  private CatalogEntry requireThere(RedisSpaceState state, @Nullable CatalogEntry entry) {
    if (entry == null || entry.id() != state.id) {
      lost.putBack(state);
      state.checkThere();
      return state.entry();
    }
    state.seen(entry);
    return entry;
  }

  /** Gives all buckets of a space that the catalog does not have new generations. */
  void renewAll(RedisSpaceState state) {
    long expiryMillis = state.entry().infoAt(clock.millis()).expiresMillis();
    setAll(state, expiryMillis, false);
    catalog.noteSweep();
    state.replacedAll();
  }

  /**
   * Sets the generations of all buckets. Plain commands first, whose own reports a server does not
   * send back; a full server runs scripts only.
   */
  private void setAll(RedisSpaceState state, long expiryMillis, boolean ifAbsent) {
    byte @Nullable [][] sent = new byte[KeyNames.BUCKETS][];
    try {
      forAll(
          (batch, bucket) -> {
            byte[] key = keys.generation(state.id, bucket);
            byte[] fresh = fresh(expiryMillis).bytes();
            sent[bucket] = fresh;
            CompletableFuture<String> unused =
                ifAbsent ? batch.setIfAbsent(key, fresh) : batch.set(key, fresh);
          },
          (link, bucket) -> isThere(link, keys.generation(state.id, bucket), sent[bucket]));
    } catch (StoreFullException e) {
      forAll(
          (batch, bucket) ->
              setOnFull(batch, keys.generation(state.id, bucket), fresh(expiryMillis), ifAbsent));
    }
  }

  /**
   * Whether a bucket has the generation that was sent. Sent again, another one would hide what
   * others have put since.
   */
  private boolean isThere(Link link, byte[] key, byte @Nullable [] sent) {
    RedisBatch batch = trips.batch();
    CompletableFuture<byte[]> there = batch.get(key);
    link.send(batch);
    return Arrays.equals(there.join(), sent);
  }

  private static BucketGeneration fresh(long expiryMillis) {
    return new BucketGeneration(ThreadLocalRandom.current().nextLong(), expiryMillis);
  }

  private static void setOnFull(
      RedisBatch batch, byte[] key, BucketGeneration fresh, boolean ifAbsent) {
    List<byte[]> arguments = ifAbsent ? List.of(fresh.bytes(), IF_ABSENT) : List.of(fresh.bytes());
    CompletableFuture<List<Object>> unused = batch.run(Scripts.SET, List.of(key), arguments);
  }

  /** Gives all buckets of a space new generations. */
  void replaceAll(RedisSpaceState state) {
    CatalogEntry entry = requireThere(state);
    setAll(state, entry.infoAt(clock.millis()).expiresMillis(), false);
    try {
      state.checkThere();
      CatalogEntry unused = requireThere(state, catalog.findCleared(state.name));
    } catch (IllegalStateException e) {
      removeAll(state.id);
      throw e;
    }
    state.replacedAll();
  }

  /** Sets when all buckets of a space expire. */
  void expireAll(RedisSpaceState state, long expiryMillis) {
    byte[] expiry = ByteBuffer.allocate(Long.BYTES).putLong(expiryMillis).array();
    byte[] now = Long.toString(clock.millis()).getBytes(StandardCharsets.US_ASCII);
    forAll(
        (batch, bucket) -> {
          byte[] fresh =
              ByteBuffer.allocate(Long.BYTES)
                  .putLong(ThreadLocalRandom.current().nextLong())
                  .array();
          CompletableFuture<List<Object>> unused =
              batch.run(
                  Scripts.EXPIRE,
                  List.of(keys.generation(state.id, bucket)),
                  List.of(expiry, fresh, now));
        });
    state.replacedAll();
  }

  /** Creates the generations of a new space. */
  void createAll(RedisSpaceState state) {
    setAll(state, Expiry.NEVER, true);
  }

  /** Removes the generations of a space that has ended. */
  void removeAll(long space) {
    forAll(
        (batch, bucket) -> {
          CompletableFuture<Long> unused = batch.delete(keys.generation(space, bucket));
        });
  }

  private void forAll(BiConsumer<RedisBatch, Integer> command) {
    forAll(command, (link, bucket) -> false);
  }

  /**
   * Sends a command for each bucket; one round trip to each server. May repeat them.
   *
   * @param isMade is asked before a command is repeated
   * @throws OutcomeUnknownException if a server cannot be reached after some were sent
   */
  private void forAll(BiConsumer<RedisBatch, Integer> command, BiPredicate<Link, Integer> isMade) {
    Map<Link, List<Integer>> owners = new HashMap<>();
    for (int bucket = 0; bucket < KeyNames.BUCKETS; bucket++) {
      Link owner = trips.servers().at(KeyNames.slotOfBucket(bucket));
      owners.computeIfAbsent(owner, any -> new ArrayList<>()).add(bucket);
    }
    boolean[] sent = new boolean[1];
    try {
      owners.forEach((owner, buckets) -> sendAll(owner, buckets, command, isMade, sent));
    } catch (ServerUnavailableException e) {
      if (sent[0]) {
        throw new OutcomeUnknownException(
            "A clear, drop or expiry may have been made in part: " + e.getMessage() + " Repeat it.",
            e);
      }
      throw e;
    }
  }

  private void sendAll(
      Link owner,
      List<Integer> buckets,
      BiConsumer<RedisBatch, Integer> command,
      BiPredicate<Link, Integer> isMade,
      boolean[] sent) {
    try {
      send(owner, buckets, command, sent);
    } catch (ServerUnavailableException | RedisCommandExecutionException | UnsettledException e) {
      buckets.forEach(bucket -> sendToOwner(bucket, command, isMade, sent));
    }
  }

  private void sendToOwner(
      int bucket,
      BiConsumer<RedisBatch, Integer> command,
      BiPredicate<Link, Integer> isMade,
      boolean[] sent) {
    boolean unused =
        trips.read(
            KeyNames.slotOfBucket(bucket),
            link -> {
              if (!isMade.test(link, bucket)) {
                send(link, List.of(bucket), command, sent);
              }
              return true;
            });
  }

  /** Sends a command for each bucket; {@code sent} becomes true if one may have been run. */
  private void send(
      Link link, List<Integer> buckets, BiConsumer<RedisBatch, Integer> command, boolean[] sent) {
    RedisBatch batch = trips.batch();
    buckets.forEach(bucket -> command.accept(batch, bucket));
    try {
      link.send(batch);
      sent[0] = true;
    } catch (RedisCommandExecutionException e) {
      sent[0] |= batch.hasSucceeded();
      throw e;
    } catch (UnsettledException e) {
      sent[0] = true;
      throw e;
    }
  }
}
