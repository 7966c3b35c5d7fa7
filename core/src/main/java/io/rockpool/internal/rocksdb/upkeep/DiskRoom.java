package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.engine.DiskState;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import io.rockpool.internal.rocksdb.natives.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How much room a store has: within its budget, and above the free space that it is to leave on its
 * file system.
 */
public final class DiskRoom {
  /**
   * When caches give way, they do for a tenth more than is needed, so that they need not at once.
   */
  private static final int SLACK_SHARE = 10;

  /** With less than this part of the floor left, nothing at all is added any more. */
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
   * What is short.
   *
   * @param bytes how many bytes caches are to give back; 0 for none
   * @param refusal what is refused until there is room, or null for nothing
   */
  record Shortage(long bytes, @Nullable Refusal refusal) {}

  /** Whether there is anything to look at. */
  boolean isBounded() {
    return budgetBytes > 0 || floorBytes > 0;
  }

  /** Looks whether there is room, where caches take so many bytes that they could give back. */
  Shortage look(long cacheBytes) {
    long missing = 0;
    Refusal refusal = null;
    long taken = budgetBytes > 0 ? takenBytes() : 0;
    if (taken > budgetBytes) {
      missing = plus(taken - budgetBytes, budgetBytes / SLACK_SHARE);
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
    return new Shortage(missing, refusal);
  }

  /** The sum of what is not negative, or the largest number where it is larger. */
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

  /** What there is and what may be, and what is refused now. */
  public DiskState state(@Nullable Refusal refusal) {
    return new DiskState(
        takenBytes(),
        budgetBytes,
        directory.usableBytes(),
        floorBytes,
        refusal != null,
        refusal != null && refusal.entriesToo());
  }

  /** The sizes of the store's files, added up; a file that vanishes meanwhile counts as nothing. */
  public long takenBytes() {
    try (Stream<Path> files = Files.list(directory.database())) {
      return files.mapToLong(StoreDirectory::size).sum();
    } catch (IOException | UncheckedIOException e) {
      throw StoreDirectory.refused("measure", directory.path(), e);
    }
  }
}
