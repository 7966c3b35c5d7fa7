package io.rockpool;

import io.rockpool.codec.Codecs;
import io.rockpool.engine.Durability;
import io.rockpool.engine.OnCorruption;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** What was said of a store's options; null where nothing was. */
record StoreOptions(
    @Nullable Long memoryBytes,
    @Nullable Durability durability,
    @Nullable Codecs codecs,
    @Nullable InstantSource clock,
    @Nullable OnCorruption onCorruption,
    @Nullable Long diskBudgetBytes,
    @Nullable Long freeSpaceFloorBytes) {
  static final StoreOptions UNSAID = new StoreOptions(null, null, null, null, null, null, null);

  StoreOptions withMemoryBytes(long newMemoryBytes) {
    return new StoreOptions(
        newMemoryBytes,
        durability,
        codecs,
        clock,
        onCorruption,
        diskBudgetBytes,
        freeSpaceFloorBytes);
  }

  StoreOptions withDurability(Durability newDurability) {
    return new StoreOptions(
        memoryBytes,
        newDurability,
        codecs,
        clock,
        onCorruption,
        diskBudgetBytes,
        freeSpaceFloorBytes);
  }

  StoreOptions withCodecs(Codecs newCodecs) {
    return new StoreOptions(
        memoryBytes,
        durability,
        newCodecs,
        clock,
        onCorruption,
        diskBudgetBytes,
        freeSpaceFloorBytes);
  }

  StoreOptions withClock(InstantSource newClock) {
    return new StoreOptions(
        memoryBytes,
        durability,
        codecs,
        newClock,
        onCorruption,
        diskBudgetBytes,
        freeSpaceFloorBytes);
  }

  StoreOptions withOnCorruption(OnCorruption newOnCorruption) {
    return new StoreOptions(
        memoryBytes,
        durability,
        codecs,
        clock,
        newOnCorruption,
        diskBudgetBytes,
        freeSpaceFloorBytes);
  }

  StoreOptions withDiskBudgetBytes(long newDiskBudgetBytes) {
    return new StoreOptions(
        memoryBytes,
        durability,
        codecs,
        clock,
        onCorruption,
        newDiskBudgetBytes,
        freeSpaceFloorBytes);
  }

  StoreOptions withFreeSpaceFloorBytes(long newFreeSpaceFloorBytes) {
    return new StoreOptions(
        memoryBytes,
        durability,
        codecs,
        clock,
        onCorruption,
        diskBudgetBytes,
        newFreeSpaceFloorBytes);
  }

  /** Whether a store that was opened with {@code other} does what this says. */
  boolean agreesWith(StoreOptions other) {
    return agrees(memoryBytes, other.memoryBytes)
        && agrees(durability, other.durability)
        && agrees(codecs, other.codecs)
        && agrees(clock, other.clock)
        && agrees(onCorruption, other.onCorruption)
        && agrees(diskBudgetBytes, other.diskBudgetBytes)
        && agrees(freeSpaceFloorBytes, other.freeSpaceFloorBytes);
  }

  private static boolean agrees(@Nullable Object said, @Nullable Object there) {
    return said == null || said.equals(there);
  }
}
