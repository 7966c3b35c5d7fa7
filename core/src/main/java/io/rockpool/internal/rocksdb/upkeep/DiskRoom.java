package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.internal.rocksdb.files.StoreDirectory;
import io.rockpool.internal.rocksdb.natives.Refusal;
import io.rockpool.internal.rocksdb.natives.WriteGate;
import io.rockpool.store.DiskState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The disk space of a store: its disk budget and its free-space floor. */
public final class DiskRoom {
  /** Caches evict a tenth more than needed, so that they need not evict again immediately. */
  private static final int SLACK_SHARE = 10;

  /** With less than one part in so many of the floor free, all inserts are rejected. */
  private static final int LAST_SHARE = 2;

  private final StoreDirectory directory;
  private final long budgetBytes;
  private final long floorBytes;

  public DiskRoom(StoreDirectory directory, long budgetBytes, long floorBytes) {
    this.directory = directory;
    this.budgetBytes = budgetBytes;
    this.floorBytes = floorBytes;
  }

  /**
   * The missing space.
   *
   * @param bytes how many bytes caches must evict; 0 for none
   * @param isPassing whether the data is within the budget, and files are beyond it that a flush or
   *     a compaction makes unnecessary
   * @param refusal which inserts are rejected until there is room, or null for none
   */
  record Shortage(long bytes, boolean isPassing, @Nullable Refusal refusal) {}

  /** The store's disk budget; 0 for none. */
  long budgetBytes() {
    return budgetBytes;
  }

  /** Whether there is a budget or a floor. */
  boolean isBounded() {
    return budgetBytes > 0 || floorBytes > 0;
  }

  /**
   * Measures the missing space, if caches can evict {@code cacheBytes} of {@code dataBytes}. Logs
   * of data that is in tables already, and tables that were just compacted, are no reason to evict.
   */
  Shortage look(long cacheBytes, long dataBytes) {
    long missing = 0;
    Refusal refusal = null;
    long taken = budgetBytes > 0 ? takenBytes() : 0;
    boolean isPassing = taken > budgetBytes && dataBytes <= budgetBytes;
    if (taken > budgetBytes) {
      missing =
          isPassing ? 0 : plus(Math.min(taken, dataBytes) - budgetBytes, budgetBytes / SLACK_SHARE);
      if (taken - cacheBytes > budgetBytes) {
        refusal = overBudget(taken);
      }
    }
    long usable = directory.usableBytes();
    if (usable < floorBytes) {
      missing = Math.max(missing, plus(floorBytes - usable, floorBytes / SLACK_SHARE));
      boolean last = usable < floorBytes / LAST_SHARE;
      if (last || plus(usable, cacheBytes) < floorBytes) {
        refusal = belowFloor(usable, last);
      }
    }
    return new Shortage(missing, isPassing, refusal);
  }

  /** The sum of two non-negative numbers, or Long.MAX_VALUE on overflow. */
  private static long plus(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  private Refusal overBudget(long taken) {
    return new Refusal(
        false,
        "It takes "
            + taken
            + " bytes of disk, more than its budget of "
            + budgetBytes
            + ", and its caches cannot make up for it. Remove something, or open it with a larger budget; reads and"
            + " removals go on, and other writes do by themselves once there is room.");
  }

  private Refusal belowFloor(long usable, boolean entriesToo) {
    return new Refusal(
        entriesToo,
        "Its file system has "
            + usable
            + " bytes left, and it is to leave "
            + floorBytes
            + " free. Make space there or remove something; reads and removals go on, and other writes do by themselves"
            + " once there is room.");
  }

  /** The disk use and limits of the store, with what the gate rejects now. */
  public DiskState state(WriteGate gate) {
    Refusal refusal = gate.refusal();
    boolean full = gate.isFull();
    return new DiskState(
        takenBytes(),
        budgetBytes,
        directory.usableBytes(),
        floorBytes,
        full || refusal != null,
        full || (refusal != null && refusal.entriesToo()));
  }

  /** The total size of the store's files; a file deleted during the call counts as zero. */
  public long takenBytes() {
    try (Stream<Path> files = Files.list(directory.database())) {
      return files.mapToLong(StoreDirectory::size).sum();
    } catch (IOException | UncheckedIOException e) {
      throw StoreDirectory.refused("measure", directory.path(), e);
    }
  }
}
