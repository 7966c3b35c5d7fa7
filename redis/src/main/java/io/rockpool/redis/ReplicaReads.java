package io.rockpool.redis;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Reads entries of one space at replicas. What they say of generations is compared only, never
 * remembered: it may be old. Thread-safe.
 */
final class ReplicaReads {
  private final Replicas replicas;
  private final KeyNames keys;
  private final InstantSource clock;
  private final RedisSpaceState state;
  private final LongAdder answered;

  /** {@code answered} counts reads that replicas have answered. */
  ReplicaReads(
      Replicas replicas,
      KeyNames keys,
      InstantSource clock,
      RedisSpaceState state,
      LongAdder answered) {
    this.replicas = replicas;
    this.keys = keys;
    this.clock = clock;
    this.state = state;
    this.answered = answered;
  }

  /** What a replica answered: an entry, or null if there is none. */
  record Answer(@Nullable StoredEntry entry) {}

  /** Notes operations that may have changed entries. */
  void changed(List<byte[]> hashKeys) {
    for (byte[] hashKey : hashKeys) {
      replicas.uses().changed(state.id, hashKey);
    }
  }

  /** Notes what a read at the master has found. */
  void found(byte[] hashKey, @Nullable StoredEntry entry) {
    replicas.uses().found(state.id, hashKey, entry);
  }

  /** Reads an entry; null if the master has to answer. */
  @Nullable Answer get(byte[] hashKey) {
    int bucket = KeyNames.bucket(hashKey);
    Replicas.Reader reader = replicas.reader(bucket);
    if (reader == null || !reader.has(state, hashKey)) {
      return null;
    }
    RedisBatch batch = new RedisBatch();
    CompletableFuture<List<byte[]>> found =
        batch.two(keys.generation(state.id, bucket), keys.entry(state.id, bucket, hashKey));
    batch.send(reader.serving().connection());
    if (!reader.serving().replica().await(batch)) {
      return null;
    }
    reader.ended(state, List.of(hashKey));
    return answer(found.join().get(0), found.join().get(1));
  }

  private @Nullable Answer answer(byte @Nullable [] generationBytes, byte @Nullable [] entry) {
    BucketGeneration generation = BucketGeneration.of(generationBytes);
    if (generation == null) {
      return null;
    }
    answered.increment();
    long nowMillis = clock.millis();
    return new Answer(
        generation.isOver(nowMillis) ? null : StoredEntry.live(entry, generation.id(), nowMillis));
  }

  /** A key of {@link #getAll} that a replica is asked for. */
  private record Asked(
      int index, CompletableFuture<byte[]> generation, CompletableFuture<byte[]> entry) {}

  /** Reads what one replica is asked for. */
  private static final class Part {
    private final Replicas.Reader reader;
    private final RedisBatch batch = new RedisBatch();
    private final Map<Integer, CompletableFuture<byte[]>> generations = new HashMap<>();
    private final List<Asked> asked = new ArrayList<>();

    Part(Replicas.Reader reader) {
      this.reader = reader;
    }
  }

  /**
   * Reads entries with one round trip to each replica.
   *
   * @return the answers in the order of the keys; null where the master has to answer
   */
  List<@Nullable Answer> getAll(List<byte[]> hashKeys) {
    Map<Replica.Serving, Part> parts = new HashMap<>();
    List<@Nullable Answer> answers = new ArrayList<>(hashKeys.size());
    for (int i = 0; i < hashKeys.size(); i++) {
      answers.add(null);
      byte[] hashKey = hashKeys.get(i);
      int bucket = KeyNames.bucket(hashKey);
      Replicas.Reader reader = replicas.reader(bucket);
      if (reader != null && reader.has(state, hashKey)) {
        Part part = parts.computeIfAbsent(reader.serving(), any -> new Part(reader));
        part.asked.add(
            new Asked(
                i,
                part.generations.computeIfAbsent(
                    bucket, any -> part.batch.get(keys.generation(state.id, bucket))),
                part.batch.get(keys.entry(state.id, bucket, hashKey))));
      }
    }
    parts.values().forEach(part -> part.batch.send(part.reader.serving().connection()));
    for (Part part : parts.values()) {
      if (part.reader.serving().replica().await(part.batch)) {
        part.reader.ended(
            state, part.asked.stream().map(each -> hashKeys.get(each.index)).toList());
        part.asked.forEach(
            each -> answers.set(each.index, answer(each.generation.join(), each.entry.join())));
      }
    }
    return answers;
  }
}
