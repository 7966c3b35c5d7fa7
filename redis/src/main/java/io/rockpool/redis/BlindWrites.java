package io.rockpool.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RowRecord;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.error.StoreFullException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Puts and deletes of one space that read nothing. Thread-safe. */
final class BlindWrites {
  private static final byte[] NOTHING = {};

  private final RoundTrips trips;
  private final KeyNames keys;
  private final RedisGenerations generations;
  private final InstantSource clock;
  private final Entries entries;
  private final RedisSpaceState state;

  BlindWrites(
      RoundTrips trips,
      KeyNames keys,
      RedisGenerations generations,
      InstantSource clock,
      Entries entries) {
    this.trips = trips;
    this.keys = keys;
    this.generations = generations;
    this.clock = clock;
    this.entries = entries;
    this.state = entries.state();
  }

  /**
   * Makes writes with one round trip to each server. Repeats those that another process's clear
   * overtook.
   *
   * @throws OutcomeUnknownException also if a server cannot be reached after some were made
   */
  void writeAll(List<EntryWrite> writes) {
    boolean[] made = new boolean[1];
    try {
      writeAll(writes, made);
    } catch (ServerUnavailableException e) {
      if (made[0]) {
        throw inPart(state.name, e);
      }
      throw e;
    } finally {
      writes.forEach(write -> state.tails.written(write.hashKey()));
    }
  }

  /** A bulk write of which a server cannot be reached after a part was made. */
  static OutcomeUnknownException inPart(String name, ServerUnavailableException cause) {
    return new OutcomeUnknownException(
        "A bulk write of the space \""
            + name
            + "\" was made in part: "
            + cause.getMessage()
            + " Repeat it, or read the entries.",
        cause);
  }

  private void writeAll(List<EntryWrite> writes, boolean[] made) {
    List<EntryWrite> left = writes;
    while (left.size() == 1) {
      left = writeGroup(left, made);
    }
    while (!left.isEmpty()) {
      List<EntryWrite> again = new ArrayList<>();
      left.stream()
          .collect(Collectors.groupingBy(write -> trips.servers().at(Entries.slot(write.bucket()))))
          .values()
          .forEach(group -> again.addAll(writeGroup(group, made)));
      left = again;
    }
  }

  /**
   * Writes what one server has; returns what is to be repeated. {@code made} becomes true if the
   * server has run a write.
   */
  private List<EntryWrite> writeGroup(List<EntryWrite> group, boolean[] made) {
    try {
      return send(trips.servers().at(Entries.slot(group.get(0).bucket())), group, made);
    } catch (RedisCommandExecutionException e) {
      return sendToOwners(group, made); // slots may have moved, each to another server
    } catch (UnsettledException e) {
      settle(group, e);
      return List.of();
    } catch (ServerUnavailableException e) {
      // Nothing was sent. The next connection serves it, if it comes in time.
      return sendToOwners(group, made);
    }
  }

  private List<EntryWrite> sendToOwners(List<EntryWrite> group, boolean[] made) {
    List<EntryWrite> again = new ArrayList<>();
    group.stream()
        .collect(Collectors.groupingBy(EntryWrite::bucket))
        .forEach((bucket, writes) -> again.addAll(sendToOwner(bucket, writes, made)));
    return again;
  }

  private List<EntryWrite> sendToOwner(int bucket, List<EntryWrite> writes, boolean[] made) {
    try {
      return trips.write(Entries.slot(bucket), link -> send(link, writes, made));
    } catch (UnsettledException e) {
      settle(writes, e);
      return List.of();
    }
  }

  private List<EntryWrite> send(Link link, List<EntryWrite> writes, boolean[] made) {
    if (writes.size() == 1) {
      List<EntryWrite> again = sendOne(link, writes);
      made[0] = true;
      return again;
    }
    return sendMany(link, writes, made);
  }

  /** Like {@link #sendMany}, without its collections. */
  private List<EntryWrite> sendOne(Link link, List<EntryWrite> one) {
    EntryWrite write = one.get(0);
    int bucket = write.bucket();
    var connection = link.reporting();
    RedisSpaceState.Watched watched = state.watched(bucket, connection);
    if (watched != null && !watched.generation().isOver(clock.millis())) {
      return sendWatched(link, one, watched);
    }
    long renewals = state.renewals();
    BucketGeneration known = generations.current(state, bucket, clock.millis());
    RedisBatch batch = trips.batch();
    Read read = addRead(batch, bucket);
    Sent sent = add(batch, write, known);
    try {
      if (connection == null) {
        link.send(batch);
      } else {
        link.send(connection, batch);
      }
    } catch (RedisCommandExecutionException e) {
      if (!sent.isMade()) {
        throw e;
      }
      return isStale(sent, read) ? one : List.of(); // only the read was refused
    }
    BucketGeneration now = learn(bucket, read);
    int replacements = read.replacements.join();
    if (connection != null && !batch.isDivided()) {
      state.watch(
          bucket,
          new RedisSpaceState.Watched(now, connection, renewals, replacements, System.nanoTime()));
    }
    return isStale(sent, now, replacements) ? one : List.of();
  }

  /**
   * Writes in a generation whose changes are reported: one that was replaced before the write is
   * reported before the answer. What is reported or lost after the answer does not matter, even if
   * it is before this thread continues: then a put that was made must not be repeated.
   */
  private List<EntryWrite> sendWatched(
      Link link, List<EntryWrite> one, RedisSpaceState.Watched watched) {
    RedisBatch batch = new RedisBatch(); // not followed to other servers: they report elsewhere
    Sent sent = add(batch, one.get(0), watched.generation());
    boolean answered = false;
    try {
      link.send(watched.connection(), batch);
      answered = true;
    } finally {
      if (!answered) {
        state.watch(one.get(0).bucket(), null);
      }
    }
    return isStale(sent, watched.generation(), watched.replacements()) ? one : List.of();
  }

  private List<EntryWrite> sendMany(Link link, List<EntryWrite> writes, boolean[] made) {
    generations.learnAll(link, state, writes.stream().map(EntryWrite::bucket).toList());
    Map<Integer, BucketGeneration> known = new HashMap<>();
    writes.forEach(
        write ->
            known.computeIfAbsent(
                write.bucket(), bucket -> generations.current(state, bucket, clock.millis())));
    RedisBatch batch = trips.batch();
    Map<Integer, Read> reads = new HashMap<>();
    known.keySet().forEach(bucket -> reads.put(bucket, addRead(batch, bucket)));
    List<Sent> sent = new ArrayList<>();
    writes.forEach(
        write -> sent.add(add(batch, write, Objects.requireNonNull(known.get(write.bucket())))));
    try {
      link.send(batch);
    } catch (RedisCommandExecutionException e) {
      if (sent.stream().noneMatch(Sent::isMade)) {
        throw e;
      }
    } finally {
      made[0] |= sent.stream().anyMatch(Sent::isMade);
    }
    return sent.stream()
        .filter(
            each ->
                !each.isMade() // refused; if that is so again, it is the reason that is thrown
                    || isStale(each, Objects.requireNonNull(reads.get(each.write.bucket()))))
        .map(Sent::write)
        .toList();
  }

  /** A read of a generation, and how often that had been replaced when the answer arrived. */
  private record Read(
      CompletableFuture<byte[]> generation, CompletableFuture<Integer> replacements) {}

  /** A write in a generation, and how often that had been replaced when the answer arrived. */
  private record Sent(
      EntryWrite write,
      BucketGeneration generation,
      CompletableFuture<?> answer,
      CompletableFuture<Integer> replacements) {
    /** Whether the server has run it. */
    boolean isMade() {
      return RedisBatch.hasSucceeded(answer);
    }
  }

  private Read addRead(RedisBatch batch, int bucket) {
    CompletableFuture<byte[]> read = batch.get(keys.generation(state.id, bucket));
    return new Read(read, read.thenApply(any -> state.replacements(bucket)));
  }

  private Sent add(RedisBatch batch, EntryWrite write, BucketGeneration generation) {
    CompletableFuture<?> answer = addWrite(batch, write, generation);
    return new Sent(
        write, generation, answer, answer.thenApply(any -> state.replacements(write.bucket())));
  }

  private CompletableFuture<?> addWrite(
      RedisBatch batch, EntryWrite write, BucketGeneration generation) {
    RowRecord record = write.record();
    if (record == null) {
      return batch.touchAndDelete(write.key());
    }
    long expiryMillis = Expiry.normalize(record.expiryMillis());
    StoredEntry entry =
        StoredEntry.of(generation.id(), write.writeId(), expiryMillis, record.value());
    return batch.set(write.key(), entry.bytes(), entries.removedMillis(expiryMillis));
  }

  /** Learns what was read beside a write, which may have been made whatever happens here. */
  private BucketGeneration learn(int bucket, Read read) {
    try {
      return generations.learn(state, bucket, read.generation.join());
    } catch (ServerUnavailableException e) {
      throw answered(e);
    }
  }

  /** Not that nothing was sent: the write was, and may have been made. */
  private static UnsettledException answered(ServerUnavailableException e) {
    return new UnsettledException(String.valueOf(e.getMessage()), e);
  }

  private boolean isStale(Sent sent, Read read) {
    if (!RedisBatch.hasSucceeded(read.generation)) {
      return sent.write.record() != null && isReplaced(sent);
    }
    return isStale(sent, learn(sent.write.bucket(), read), read.replacements.join());
  }

  /**
   * Whether a put is invisible, because its generation was replaced before the server ran it.
   *
   * @param read the generation, as the server had it before it ran the write
   * @param replacements how often it had been replaced then
   */
  private boolean isStale(Sent sent, BucketGeneration read, int replacements) {
    return sent.write.record() != null
        && (read.id() != sent.generation.id()
            || (sent.replacements.join() != replacements && isReplaced(sent)));
  }

  /** Whether the generation is another one by now; a new expiry leaves it the same. */
  private boolean isReplaced(Sent sent) {
    try {
      return generations.reread(state, sent.write.bucket()).id() != sent.generation.id();
    } catch (ServerUnavailableException e) {
      throw answered(e);
    }
  }

  /**
   * Finds out what became of writes whose connection was lost. The server has ended it, so none is
   * made later. A put that is there was made. Nothing is repeated: another process may have written
   * since.
   */
  private void settle(List<EntryWrite> writes, UnsettledException cause) {
    for (EntryWrite write : writes) {
      if (write.record() == null) {
        settleDelete(write, cause);
        continue;
      }
      StoredEntry there = entries.settled(write.hashKey(), cause);
      if (there == null || there.writeId() != write.writeId()) {
        throw entries.unknown(cause);
      }
    }
  }

  /**
   * Deletes what is no entry, since a lease may be there. An entry may be newer than the delete.
   */
  private void settleDelete(EntryWrite write, UnsettledException cause) {
    OutcomeUnknownException unknown = entries.unknown(cause);
    try {
      if (entries
          .writeIf(write.hashKey(), Entries.Condition.ABSENT, NOTHING, null, Expiry.NEVER)
          .made()) {
        return;
      }
    } catch (ServerUnavailableException | StoreFullException e) {
      unknown.addSuppressed(e);
    }
    throw unknown;
  }
}
