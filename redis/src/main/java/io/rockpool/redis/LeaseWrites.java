package io.rockpool.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.rockpool.engine.LeasedWrite;
import io.rockpool.error.ServerUnavailableException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Writes of one space that need leases. Thread-safe. */
final class LeaseWrites {
  private final RoundTrips trips;
  private final KeyNames keys;
  private final RedisGenerations generations;
  private final OwnEchoes echoes;
  private final InstantSource clock;
  private final Entries entries;
  private final RedisSpaceState state;

  LeaseWrites(
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

  /** A write of a batch that needs a lease, and its answer. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Sent(
      int index, byte[] key, long writeId, CompletableFuture<List<Object>> answer) {}

  /** Makes writes that need leases, with one round trip to each server; says which were made. */
  List<Boolean> writeAll(List<byte[]> hashKeys, List<LeasedWrite> writes) {
    Map<Link, List<Integer>> places = new HashMap<>();
    for (int i = 0; i < hashKeys.size(); i++) {
      Link link = trips.servers().at(KeyNames.slotOfBucket(KeyNames.bucket(hashKeys.get(i))));
      places.computeIfAbsent(link, any -> new ArrayList<>()).add(i);
    }
    @Nullable Boolean[] made = new Boolean[hashKeys.size()];
    places.forEach((link, indexes) -> write(link, hashKeys, writes, indexes, made));
    List<Boolean> all = new ArrayList<>(made.length);
    for (int i = 0; i < made.length; i++) {
      Boolean known = made[i];
      all.add(known == null ? write(hashKeys.get(i), writes.get(i)) : known);
    }
    return all;
  }

  boolean write(byte[] hashKey, LeasedWrite write) {
    byte[] compared = compared(write);
    return entries
        .writeIf(hashKey, Entries.Condition.LEASE, compared, write.value(), write.expiryMillis())
        .made();
  }

  /** Makes those that one server has; leaves null where the server has not decided. */
  private void write(
      Link link,
      List<byte[]> hashKeys,
      List<LeasedWrite> writes,
      List<Integer> indexes,
      @Nullable Boolean[] made) {
    generations.learnAll(
        link, state, indexes.stream().map(i -> KeyNames.bucket(hashKeys.get(i))).toList());
    RedisBatch batch = trips.batch();
    List<Sent> sent = new ArrayList<>();
    for (int i : indexes) {
      int bucket = KeyNames.bucket(hashKeys.get(i));
      byte[] key = keys.entry(state.id, bucket, hashKeys.get(i));
      LeasedWrite write = writes.get(i);
      byte[] compared = compared(write);
      long writeId = Entries.newWriteId();
      long nowMillis = clock.millis();
      List<byte[]> arguments =
          entries.arguments(
              generations.current(state, bucket, nowMillis),
              nowMillis,
              Entries.Condition.LEASE,
              compared,
              write.value(),
              writeId,
              write.expiryMillis());
      if (write.value() != null) {
        echoes.expect(key, writeId);
      }
      List<byte[]> scriptKeys = List.of(keys.generation(state.id, bucket), key);
      sent.add(new Sent(i, key, writeId, batch.run(Scripts.WRITE, scriptKeys, arguments)));
    }
    UnsettledException lost = null;
    try {
      link.send(batch);
    } catch (ServerUnavailableException | RedisCommandExecutionException e) {
      // Those that the server has not run are made one after the other.
    } catch (UnsettledException e) {
      lost = e;
    }
    for (Sent each : sent) {
      made[each.index] = outcomeOf(each, hashKeys.get(each.index), writes.get(each.index), lost);
    }
  }

  private @Nullable Boolean outcomeOf(
      Sent sent, byte[] hashKey, LeasedWrite write, @Nullable UnsettledException lost) {
    Entries.Outcome outcome = null;
    if (sent.answer.isDone() && !sent.answer.isCompletedExceptionally()) {
      outcome = entries.outcome(KeyNames.bucket(hashKey), sent.answer.join());
    } else if (lost != null) {
      byte[] compared = compared(write);
      Long writeId = write.value() == null ? null : sent.writeId;
      outcome = entries.settle(hashKey, Entries.Condition.LEASE, compared, writeId, lost);
    }
    if (outcome == null || !outcome.made()) {
      echoes.forget(sent.key, sent.writeId);
    }
    if (outcome == null) {
      return null;
    }
    state.tails.written(hashKey.clone());
    return outcome.made();
  }

  private static byte[] compared(LeasedWrite write) {
    return ((RedisEntryLease) write.lease()).compared();
  }
}
