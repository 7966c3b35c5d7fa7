package io.rockpool.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RowRecord;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.error.StoreFullException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one space in Redis. Each command that reads an entry reads the generation of its
 * bucket first, and each write checks it: an entry of another generation does not exist. So a clear
 * writes new generations. Thread-safe.
 */
final class Entries {
  private static final byte[] NOTHING = {};

  /** What {@link Scripts#WRITE} returns for a write that was not made. */
  private static final List<Object> NOT_MADE = List.of(2L);

  private static final long TEST_CLOCK_MILLIS = TimeUnit.DAYS.toMillis(1);

  private final RoundTrips trips;
  private final KeyNames keys;
  private final RedisGenerations generations;
  private final OwnEchoes echoes;
  private final InstantSource clock;
  private final boolean isServerClock;
  private final RedisSpaceState state;
  private final Leases leases;
  private final LeaseWrites leaseWrites;
  private final BlindWrites blindWrites;
  private final @Nullable ReplicaReads replicaReads;

  /** A conditional write: what the server compares before it. */
  enum Condition {
    NONE,
    ABSENT,
    SAME,
    WRITE_ID,
    LEASE;

    private byte[] code() {
      return new byte[] {(byte) name().charAt(0)};
    }
  }

  /** Whether a conditional write was made, and the entry before. */
  record Outcome(boolean made, @Nullable StoredEntry before) {}

  Entries(
      RoundTrips trips,
      KeyNames keys,
      RedisGenerations generations,
      OwnEchoes echoes,
      InstantSource clock,
      boolean isServerClock,
      RedisSpaceState state,
      @Nullable ReplicaReads replicaReads) {
    this.trips = trips;
    this.keys = keys;
    this.generations = generations;
    this.echoes = echoes;
    this.clock = clock;
    this.isServerClock = isServerClock;
    this.state = state;
    this.leases = new Leases(trips, keys, generations, echoes, clock, this);
    this.leaseWrites = new LeaseWrites(trips, keys, generations, echoes, clock, this);
    this.blindWrites = new BlindWrites(trips, keys, generations, clock, this);
    this.replicaReads = replicaReads;
  }

  /** The space that has the entries. */
  RedisSpaceState state() {
    return state;
  }

  /** The writes that need leases. */
  LeaseWrites leaseWrites() {
    return leaseWrites;
  }

  /** The reads that take leases. */
  Leases leases() {
    return leases;
  }

  /** The reads that replicas may answer; null if none do. */
  @Nullable ReplicaReads replicaReads() {
    return replicaReads;
  }

  /** Notes operations of this process that may have changed entries. */
  void changed(List<byte[]> hashKeys) {
    if (replicaReads != null) {
      replicaReads.changed(hashKeys);
    }
  }

  @Nullable StoredEntry get(byte[] hashKey) {
    int bucket = KeyNames.bucket(hashKey);
    byte[] generationKey = keys.generation(state.id, bucket);
    byte[] key = keys.entry(state.id, bucket, hashKey);
    List<byte[]> found = trips.read(slot(bucket), link -> two(link, generationKey, key));
    return found(hashKey, live(bucket, found.get(0), found.get(1)));
  }

  private List<byte[]> two(Link link, byte[] generationKey, byte[] key) {
    try {
      return link.two(generationKey, key);
    } catch (RedisCommandExecutionException e) {
      if (!RoundTrips.isDivided(e)) {
        throw e;
      }
    }
    RedisBatch batch = trips.batch();
    CompletableFuture<byte[]> generation = batch.get(generationKey);
    CompletableFuture<byte[]> entry = batch.get(key);
    link.send(batch);
    return Arrays.asList(generation.join(), entry.join());
  }

  /** Notes what was found, so that no replica answers with less afterwards; returns it. */
  private @Nullable StoredEntry found(byte[] hashKey, @Nullable StoredEntry entry) {
    if (replicaReads != null) {
      replicaReads.found(hashKey, entry);
    }
    return entry;
  }

  private @Nullable StoredEntry live(
      int bucket, byte @Nullable [] generationBytes, byte @Nullable [] entry) {
    BucketGeneration generation;
    try {
      generation = generations.learn(state, bucket, generationBytes);
    } catch (StoreFullException | ServerUnavailableException e) {
      return null; // without a generation there is no entry
    }
    long nowMillis = clock.millis();
    return generation.isOver(nowMillis)
        ? null
        : StoredEntry.live(entry, generation.id(), nowMillis);
  }

  /** Reads many entries with one round trip to each server; null for each absent one. */
  List<@Nullable StoredEntry> getAll(List<byte[]> hashKeys) {
    Map<Link, List<Integer>> places = new HashMap<>();
    for (int i = 0; i < hashKeys.size(); i++) {
      Link link = trips.servers().at(slot(KeyNames.bucket(hashKeys.get(i))));
      places.computeIfAbsent(link, any -> new ArrayList<>()).add(i);
    }
    StoredEntry[] found = new StoredEntry[hashKeys.size()];
    places.forEach(
        (link, indexes) -> {
          try {
            read(link, hashKeys, indexes, found);
          } catch (RedisCommandExecutionException
              | UnsettledException
              | ServerUnavailableException e) {
            indexes.forEach(i -> found[i] = get(hashKeys.get(i)));
          }
        });
    return Arrays.asList(found);
  }

  private void read(
      Link link, List<byte[]> hashKeys, List<Integer> indexes, @Nullable StoredEntry[] found) {
    RedisBatch batch = trips.batch();
    Map<Integer, CompletableFuture<byte[]>> read = new HashMap<>();
    for (int i : indexes) {
      int bucket = KeyNames.bucket(hashKeys.get(i));
      read.computeIfAbsent(bucket, any -> batch.get(keys.generation(state.id, bucket)));
    }
    List<CompletableFuture<byte[]>> entries = new ArrayList<>();
    indexes.forEach(i -> entries.add(batch.get(keys.entry(state.id, hashKeys.get(i)))));
    link.send(batch);
    for (int i = 0; i < indexes.size(); i++) {
      int at = indexes.get(i);
      int bucket = KeyNames.bucket(hashKeys.get(at));
      byte[] generation = Objects.requireNonNull(read.get(bucket)).join();
      found[at] = found(hashKeys.get(at), live(bucket, generation, entries.get(i).join()));
    }
  }

  static int slot(int bucket) {
    return KeyNames.slotOfBucket(bucket);
  }

  EntryWrite put(RowRecord record) {
    return write(record.hashKey(), record);
  }

  EntryWrite delete(byte[] hashKey) {
    return write(hashKey, null);
  }

  private EntryWrite write(byte[] hashKey, @Nullable RowRecord record) {
    byte[] copy = hashKey.clone();
    int bucket = KeyNames.bucket(copy);
    return new EntryWrite(copy, keys.entry(state.id, bucket, copy), bucket, record, newWriteId());
  }

  static long newWriteId() {
    return ThreadLocalRandom.current().nextLong();
  }

  /** As {@link BlindWrites#writeAll}. */
  void writeAll(List<EntryWrite> writes) {
    blindWrites.writeAll(writes);
  }

  /** When the server removes an entry: by a clock of a test, long after it has expired. */
  long removedMillis(long expiryMillis) {
    if (expiryMillis == Expiry.NEVER || isServerClock) {
      return Math.max(1, expiryMillis);
    }
    long leftMillis = Math.max(0, expiryMillis - clock.millis());
    return Expiry.after(System.currentTimeMillis() + TEST_CLOCK_MILLIS, leftMillis);
  }

  @Nullable StoredEntry settled(byte[] hashKey, UnsettledException cause) {
    try {
      return get(hashKey);
    } catch (ServerUnavailableException e) {
      OutcomeUnknownException unknown = unknown(cause);
      unknown.addSuppressed(e);
      throw unknown;
    }
  }

  OutcomeUnknownException unknown(UnsettledException cause) {
    return new OutcomeUnknownException(
        "A write of the space \""
            + state.name
            + "\" may have been made or not: "
            + cause.getMessage()
            + " Read the entry before you write again.",
        cause);
  }

  /**
   * Writes an entry on a condition, with one round trip.
   *
   * @param compared what the condition compares
   * @param value the new value, or null to delete
   */
  Outcome writeIf(
      byte[] hashKey,
      Condition condition,
      byte[] compared,
      byte @Nullable [] value,
      long expiryMillis) {
    int bucket = KeyNames.bucket(hashKey);
    byte[] key = keys.entry(state.id, hashKey);
    long writeId = newWriteId();
    while (true) {
      long nowMillis = clock.millis();
      BucketGeneration generation = generations.current(state, bucket, nowMillis);
      List<byte[]> arguments =
          arguments(generation, nowMillis, condition, compared, value, writeId, expiryMillis);
      if (value != null) {
        echoes.expect(key, writeId);
      }
      Outcome outcome;
      try {
        outcome = outcome(bucket, run(bucket, key, condition, arguments));
      } catch (UnsettledException e) {
        outcome = settle(hashKey, condition, compared, value == null ? null : writeId, e);
      }
      if (outcome == null || !outcome.made()) {
        echoes.forget(key, writeId);
      }
      if (outcome != null) {
        state.tails.written(hashKey.clone());
        return outcome;
      }
    }
  }

  /** The arguments of {@link Scripts#WRITE}, which decides as of {@code nowMillis}. */
  List<byte[]> arguments(
      BucketGeneration generation,
      long nowMillis,
      Condition condition,
      byte[] compared,
      byte @Nullable [] value,
      long writeId,
      long expiryMillis) {
    long expiry = Expiry.normalize(expiryMillis);
    return List.of(
        generation.bytes(),
        condition.code(),
        compared,
        value == null ? NOTHING : StoredEntry.of(generation.id(), writeId, expiry, value).bytes(),
        text(expiry == Expiry.NEVER ? 0 : removedMillis(expiry)),
        text(nowMillis));
  }

  private List<Object> run(int bucket, byte[] key, Condition condition, List<byte[]> arguments) {
    byte[] generationKey = keys.generation(state.id, bucket);
    return trips.write(
        slot(bucket),
        link -> {
          RedisBatch batch = trips.batch();
          CompletableFuture<List<Object>> answer =
              batch.run(Scripts.WRITE, List.of(generationKey, key), arguments);
          try {
            link.send(batch);
          } catch (RedisCommandExecutionException e) {
            if (condition == Condition.LEASE && RoundTrips.isDivided(e)) {
              return NOT_MADE; // a load does not wait for a slot that moves
            }
            throw e;
          }
          return answer.join();
        });
  }

  /** The outcome, or null if the generation is another. */
  @Nullable Outcome outcome(int bucket, List<Object> answer) {
    long code = (Long) answer.get(0);
    byte[] bytes = answer.size() > 1 ? (byte[]) answer.get(1) : null;
    if (code == 0) {
      generations.learn(state, bucket, bytes);
      return null;
    }
    return new Outcome(code == 1, bytes == null ? null : new StoredEntry(bytes));
  }

  /** Finds out what became of a write on a condition; null if it is to be repeated. */
  @Nullable Outcome settle(
      byte[] hashKey,
      Condition condition,
      byte[] compared,
      @Nullable Long writeId,
      UnsettledException cause) {
    StoredEntry there = settled(hashKey, cause);
    if (writeId != null && there != null && there.writeId() == writeId) {
      if (condition == Condition.ABSENT
          || condition == Condition.WRITE_ID
          || condition == Condition.LEASE) {
        return new Outcome(true, null);
      }
      if (condition == Condition.SAME) {
        return new Outcome(true, StoredEntry.expected(compared));
      }
    } else if (condition == Condition.WRITE_ID
        && there != null
        && Arrays.equals(compared, writeId(there))) {
      return null; // nothing was written
    }
    throw unknown(cause);
  }

  /** What {@link Condition#WRITE_ID} compares. */
  static byte[] writeId(@Nullable StoredEntry entry) {
    return entry == null
        ? NOTHING
        : ByteBuffer.allocate(Long.BYTES).putLong(entry.writeId()).array();
  }

  private static byte[] text(long number) {
    return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
  }

  /** Lists the hash keys of all entries, also of some that no longer exist; sorted. */
  List<byte[]> hashKeys() {
    return RedisScan.keys(trips, keys.entriesOf(state.id)).stream()
        .map(keys::hashKey)
        .sorted(Arrays::compareUnsigned)
        .toList();
  }
}
