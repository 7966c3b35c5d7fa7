package io.rockpool;

import io.rockpool.codec.Codecs;
import io.rockpool.store.Durability;
import io.rockpool.store.OnCorruption;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Options that were set explicitly; null means the default. */
record StoreOptions(
    @Nullable Long memoryBytes,
    @Nullable Durability durability,
    @Nullable Codecs codecs,
    @Nullable InstantSource clock,
    @Nullable OnCorruption onCorruption,
    @Nullable Long diskBudgetBytes,
    @Nullable Long freeSpaceFloorBytes,
    @Nullable Long heapBudgetBytes) {
  static final StoreOptions UNSAID =
      new StoreOptions(null, null, null, null, null, null, null, null);

  StoreOptions withMemoryBytes(long newMemoryBytes) {
    return new StoreOptions(
        newMemoryBytes,
        durability,
        codecs,
        clock,
        onCorruption,
        diskBudgetBytes,
        freeSpaceFloorBytes,
        heapBudgetBytes);
  }

  StoreOptions withDurability(Durability newDurability) {
    return new StoreOptions(
        memoryBytes,
        newDurability,
        codecs,
        clock,
        onCorruption,
        diskBudgetBytes,
        freeSpaceFloorBytes,
        heapBudgetBytes);
  }

  StoreOptions withCodecs(Codecs newCodecs) {
    return new StoreOptions(
        memoryBytes,
        durability,
        newCodecs,
        clock,
        onCorruption,
        diskBudgetBytes,
        freeSpaceFloorBytes,
        heapBudgetBytes);
  }

  StoreOptions withClock(InstantSource newClock) {
    return new StoreOptions(
        memoryBytes,
        durability,
        codecs,
        newClock,
        onCorruption,
        diskBudgetBytes,
        freeSpaceFloorBytes,
        heapBudgetBytes);
  }

  StoreOptions withOnCorruption(OnCorruption newOnCorruption) {
    return new StoreOptions(
        memoryBytes,
        durability,
        codecs,
        clock,
        newOnCorruption,
        diskBudgetBytes,
        freeSpaceFloorBytes,
        heapBudgetBytes);
  }

  StoreOptions withDiskBudgetBytes(long newDiskBudgetBytes) {
    return new StoreOptions(
        memoryBytes,
        durability,
        codecs,
        clock,
        onCorruption,
        newDiskBudgetBytes,
        freeSpaceFloorBytes,
        heapBudgetBytes);
  }

  StoreOptions withFreeSpaceFloorBytes(long newFreeSpaceFloorBytes) {
    return new StoreOptions(
        memoryBytes,
        durability,
        codecs,
        clock,
        onCorruption,
        diskBudgetBytes,
        newFreeSpaceFloorBytes,
        heapBudgetBytes);
  }

  StoreOptions withHeapBudgetBytes(long newHeapBudgetBytes) {
    return new StoreOptions(
        memoryBytes,
        durability,
        codecs,
        clock,
        onCorruption,
        diskBudgetBytes,
        freeSpaceFloorBytes,
        newHeapBudgetBytes);
  }

  /** The names of explicit options that differ from those of the open store {@code other}. */
  List<String> conflictsWith(StoreOptions other) {
    Map<String, Object> there = other.explicit();
    return explicit().entrySet().stream()
        .filter(option -> !option.getValue().equals(there.get(option.getKey())))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The explicit options, by name. */
  private Map<String, Object> explicit() {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("memoryBytes", memoryBytes);
    all.put("durability", durability);
    all.put("codecs", codecs);
    all.put("clock", clock);
    all.put("onCorruption", onCorruption);
    all.put("diskBudgetBytes", diskBudgetBytes);
    all.put("freeSpaceFloorBytes", freeSpaceFloorBytes);
    all.put("heapBudgetBytes", heapBudgetBytes);
    Map<String, Object> explicit = new LinkedHashMap<>();
    all.forEach(
        (name, value) -> {
          if (value != null) {
            explicit.put(name, value);
          }
        });
    return explicit;
  }
}
