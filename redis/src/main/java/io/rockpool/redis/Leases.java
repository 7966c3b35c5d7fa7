package io.rockpool.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.rockpool.engine.Lease;
import io.rockpool.engine.LeasedRead;
import io.rockpool.error.StoreFullException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Reads entries of one space, and takes leases. It sends the generation's {@code GET}, and a {@code
 * SET} that returns what is there or else puts the placeholder: plain commands, whose own reports a
 * server does not send back. Thread-safe.
 */
final class Leases {
  private final RoundTrips trips;
  private final KeyNames keys;
  private final RedisGenerations generations;
  private final OwnEchoes echoes;
  private final InstantSource clock;
  private final Entries entries;
  private final RedisSpaceState state;

  Leases(
      RoundTrips trips,
      KeyNames keys,
      RedisGenerations generations,
      OwnEchoes echoes,
      InstantSource clock,
      Entries entries) {
    this.trips = trips;
    this.keys = keys;
    this.generations = generations;
    this.echoes = echoes;
    this.clock = clock;
    this.entries = entries;
    this.state = entries.state();
  }

  /** One key of a batch: the placeholder that was sent for it, and the answers. */
  private record Asked(
      int index,
      int bucket,
      BucketGeneration known,
      RedisEntryLease placeholder,
      CompletableFuture<byte[]> generation,
      CompletableFuture<byte[]> entry) {}

  /**
   * Reads many entries with one round trip to each server. On a server that is full or cannot save,
   * absent keys get leases that have ended: what is loaded is returned and not stored.
   */
  List<LeasedRead> read(List<byte[]> hashKeys) {
    try {
      return readLeased(hashKeys);
    } catch (StoreFullException e) {
      List<@Nullable StoredEntry> found = entries.getAll(hashKeys);
      List<LeasedRead> reads = new ArrayList<>(found.size());
      for (int i = 0; i < found.size(); i++) {
        StoredEntry entry = found.get(i);
        reads.add(
            entry == null
                ? new LeasedRead(null, ended())
                : new LeasedRead(entry.record(hashKeys.get(i)), RedisEntryLease.of(entry)));
      }
      return reads;
    }
  }

  /** A lease that has ended: what is loaded is not stored. */
  private static RedisEntryLease ended() {
    return new RedisEntryLease(0, ThreadLocalRandom.current().nextLong());
  }

  private List<LeasedRead> readLeased(List<byte[]> hashKeys) {
    Map<Link, List<Integer>> places = new HashMap<>();
    for (int i = 0; i < hashKeys.size(); i++) {
      Link link = trips.servers().at(KeyNames.slotOfBucket(KeyNames.bucket(hashKeys.get(i))));
      places.computeIfAbsent(link, any -> new ArrayList<>()).add(i);
    }
    @Nullable LeasedRead[] found = new LeasedRead[hashKeys.size()];
    places.forEach(
        (link, indexes) -> {
          try {
            read(link, hashKeys, indexes, found);
          } catch (RedisCommandExecutionException | UnsettledException e) {
            // One after the other, below.
          }
        });
    List<LeasedRead> all = new ArrayList<>(found.length);
    for (int i = 0; i < found.length; i++) {
      LeasedRead read = found[i];
      all.add(read == null ? read(hashKeys.get(i)) : read);
    }
    return all;
  }

  /** Reads one entry, until the answer is clear. */
  private LeasedRead read(byte[] hashKey) {
    while (true) {
      @Nullable LeasedRead[] found = new LeasedRead[1];
      int slot = KeyNames.slotOfBucket(KeyNames.bucket(hashKey));
      boolean unused =
          trips.read(
              slot,
              link -> {
                read(link, List.of(hashKey), List.of(0), found);
                return true;
              });
      if (found[0] != null) {
        return found[0];
      }
    }
  }

  /** Reads what one server has; leaves null where another process was faster. */
  private void read(
      Link link, List<byte[]> hashKeys, List<Integer> indexes, @Nullable LeasedRead[] found) {
    generations.learnAll(
        link, state, indexes.stream().map(i -> KeyNames.bucket(hashKeys.get(i))).toList());
    RedisBatch batch = trips.batch();
    List<Asked> asked = new ArrayList<>();
    for (int i : indexes) {
      int bucket = KeyNames.bucket(hashKeys.get(i));
      BucketGeneration known = generations.current(state, bucket, clock.millis());
      RedisEntryLease placeholder =
          new RedisEntryLease(known.id(), ThreadLocalRandom.current().nextLong());
      asked.add(
          new Asked(
              i,
              bucket,
              known,
              placeholder,
              batch.get(keys.generation(state.id, bucket)),
              batch.getOrSet(
                  keys.entry(state.id, hashKeys.get(i)),
                  placeholder.bytes(Lease.endMillis(clock.millis())),
                  Lease.LIFETIME.toMillis())));
    }
    link.send(batch);
    List<Asked> dead = new ArrayList<>();
    for (Asked each : asked) {
      BucketGeneration now = generations.learn(state, each.bucket, each.generation.join());
      byte @Nullable [] bytes = each.entry.join();
      if (!now.equals(each.known) || now.isOver(clock.millis())) {
        continue; // read again, in the new generation
      }
      if (bytes == null) {
        found[each.index] = new LeasedRead(null, each.placeholder);
        continue;
      }
      found[each.index] = there(hashKeys.get(each.index), bytes, now.id());
      if (found[each.index] == null) {
        dead.add(each);
      }
    }
    if (!dead.isEmpty()) {
      replace(link, hashKeys, dead, found);
    }
  }

  private @Nullable LeasedRead there(byte[] hashKey, byte[] bytes, long generation) {
    long nowMillis = clock.millis();
    StoredEntry entry = StoredEntry.live(bytes, generation, nowMillis);
    if (entry != null) {
      return new LeasedRead(entry.record(hashKey), RedisEntryLease.of(entry));
    }
    RedisEntryLease shared = RedisEntryLease.shared(bytes, generation, nowMillis);
    return shared == null ? null : new LeasedRead(null, shared);
  }

  /** Puts placeholders in the place of entries that clears or their expiry have ended. */
  private void replace(
      Link link, List<byte[]> hashKeys, List<Asked> dead, @Nullable LeasedRead[] found) {
    RedisBatch batch = trips.batch();
    List<CompletableFuture<List<Object>>> answers = new ArrayList<>();
    for (Asked each : dead) {
      byte[] key = keys.entry(state.id, hashKeys.get(each.index));
      echoes.expect(key, each.placeholder.id());
      answers.add(
          batch.run(
              Scripts.LEASE,
              List.of(keys.generation(state.id, each.bucket), key),
              List.of(
                  each.known.bytes(),
                  each.entry.join(),
                  each.placeholder.bytes(Lease.endMillis(clock.millis())),
                  Long.toString(Lease.LIFETIME.toMillis()).getBytes(StandardCharsets.US_ASCII))));
    }
    try {
      link.send(batch);
    } catch (RuntimeException e) {
      dead.forEach(each -> forget(each, hashKeys));
      if (dead.size() == 1
          && e instanceof RedisCommandExecutionException refused
          && RoundTrips.isDivided(refused)) {
        found[dead.get(0).index] = new LeasedRead(null, ended());
        return;
      }
      throw e;
    }
    for (int i = 0; i < dead.size(); i++) {
      Asked each = dead.get(i);
      if ((Long) answers.get(i).join().get(0) == 1) {
        found[each.index] = new LeasedRead(null, each.placeholder);
      } else {
        forget(each, hashKeys);
      }
    }
  }

  private void forget(Asked asked, List<byte[]> hashKeys) {
    echoes.forget(keys.entry(state.id, hashKeys.get(asked.index)), asked.placeholder.id());
  }
}
