package io.rockpool.engine.memory;

import io.rockpool.engine.RecordReader;
import io.rockpool.engine.RowTransaction;
import io.rockpool.error.OutcomeUnknownException;
import java.util.Arrays;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Does on purpose and often what the contract allows a remote engine to do occasionally. It runs
 * transactions more than once and on stale rows. It shows concurrent changes to scans. It
 * overwrites a value's buffer as soon as its reader has returned. It makes outcomes of writes
 * unknown.
 */
final class Adversary {
  private static final double STALE_PROBABILITY = 0.5;
  private static final double CONFLICT_PROBABILITY = 0.25;
  private static final int MAX_BUFFER_MARGIN_BYTES = 16;

  private final boolean active;
  private final double unknownProbability;
  private final String origin;
  private final Random random;

  /**
   * Creates an adversary.
   *
   * @param seed the random seed, or null for one that only makes outcomes unknown
   * @param unknownProbability the share of writes with an unknown outcome
   */
  Adversary(@Nullable Long seed, double unknownProbability) {
    this.active = seed != null;
    this.unknownProbability = unknownProbability;
    this.origin = seed == null ? "without an adversary" : "adversary seed " + seed;
    this.random = new Random(seed == null ? 0 : seed);
  }

  /**
   * Runs a transaction on a row. An active adversary runs it more than once and keeps one run.
   *
   * @throws IllegalStateException if two runs on the same row differ
   */
  <R extends @Nullable Object> TransactionRun<R> run(
      SpaceData data, byte[] hashKey, RowTransaction<R> transaction, long nowMillis) {
    RowState row = data.row(hashKey);
    Supplier<TransactionRun<R>> runs = () -> run(data, hashKey, row, transaction, nowMillis);
    if (!active) {
      return runs.get();
    }
    if (random.nextDouble() < STALE_PROBABILITY) {
      // As if another writer had come first: this run's effect, exception and result are discarded.
      run(data, hashKey, data.staleRow(hashKey), transaction, nowMillis);
    }
    TransactionRun<R> first = runs.get();
    TransactionRun<R> second = runs.get();
    if (!first.isLike(second)) {
      throw new IllegalStateException(
          "A transaction ran twice on the same row of the space \""
              + data.name()
              + "\" and did not do the same ("
              + origin
              + "); make it depend on what it reads from the row and on nothing else. Nothing was changed.");
    }
    return random.nextBoolean() ? first : second;
  }

  private static <R extends @Nullable Object> TransactionRun<R> run(
      SpaceData data, byte[] hashKey, RowState row, RowTransaction<R> transaction, long nowMillis) {
    return new TransactionRun<>(new RowView(hashKey, data, row, nowMillis, null), transaction);
  }

  /** Whether to run a transaction over several rows, discard the run, and run it again. */
  boolean discards() {
    return active && random.nextDouble() < STALE_PROBABILITY;
  }

  /** Whether to treat a commit as if another writer had come first. */
  boolean conflicts() {
    return active && random.nextDouble() < CONFLICT_PROBABILITY;
  }

  /**
   * Runs a write and returns its result.
   *
   * @throws OutcomeUnknownException sometimes, instead of the write or after it
   */
  boolean write(String what, BooleanSupplier operation) {
    boolean unknown = unknownProbability > 0 && random.nextDouble() < unknownProbability;
    if (unknown && random.nextBoolean()) {
      throw outcomeUnknown(what);
    }
    boolean done = operation.getAsBoolean();
    if (unknown && done) {
      throw outcomeUnknown(what);
    }
    return done;
  }

  private OutcomeUnknownException outcomeUnknown(String what) {
    return new OutcomeUnknownException(
        what
            + " was given an unknown outcome on purpose ("
            + origin
            + "): it may have been applied or not. Read before deciding what to do.",
        null);
  }

  /**
   * Passes a value to {@code reader}; an active adversary uses a buffer that it overwrites
   * afterwards.
   */
  <R> @Nullable R read(StoredRecord record, RecordReader<R> reader) {
    byte[] value = record.value();
    if (!active) {
      return reader.read(value, 0, value.length, record.expiryMillis());
    }
    int before = random.nextInt(MAX_BUFFER_MARGIN_BYTES);
    byte[] buffer = new byte[before + value.length + random.nextInt(MAX_BUFFER_MARGIN_BYTES)];
    random.nextBytes(buffer);
    System.arraycopy(value, 0, buffer, before, value.length);
    try {
      return reader.read(buffer, before, value.length, record.expiryMillis());
    } finally {
      Arrays.fill(buffer, (byte) ~0x55);
    }
  }

  /**
   * The rows that a scan reads: a snapshot, or for an active adversary the current rows at each
   * step.
   */
  Supplier<SortedTree<RowState>> rows(SpaceData data) {
    if (active) {
      return data::rows;
    }
    SortedTree<RowState> snapshot = data.rows();
    return () -> snapshot;
  }
}
