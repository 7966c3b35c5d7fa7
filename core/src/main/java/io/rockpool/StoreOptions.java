package io.rockpool;

import io.rockpool.codec.Codecs;
import io.rockpool.encryption.Encryption;
import io.rockpool.store.Durability;
import io.rockpool.store.OnCorruption;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The options of a store that were set explicitly, by the description of each. */
record StoreOptions(Map<Option<?>, Object> explicit) {
  /** An option; its name is that of its method in {@link RockpoolBuilder}. */
  record Option<T>(String name, Class<T> type) {}

  static final Option<Long> MEMORY_BYTES = new Option<>("memoryBytes", Long.class);
  static final Option<Durability> DURABILITY = new Option<>("durability", Durability.class);
  static final Option<Codecs> CODECS = new Option<>("codecs", Codecs.class);
  static final Option<InstantSource> CLOCK = new Option<>("clock", InstantSource.class);
  static final Option<OnCorruption> ON_CORRUPTION =
      new Option<>("onCorruption", OnCorruption.class);
  static final Option<Long> DISK_BUDGET_BYTES = new Option<>("diskBudgetBytes", Long.class);
  static final Option<Long> FREE_SPACE_FLOOR_BYTES =
      new Option<>("freeSpaceFloorBytes", Long.class);
  static final Option<Long> HEAP_BUDGET_BYTES = new Option<>("heapBudgetBytes", Long.class);

  static final Option<Encryption> ENCRYPTION = new Option<>("encryption", Encryption.class);

  static final Option<Long> COLLECTION_HEAP_BYTES = new Option<>("collectionHeapBytes", Long.class);

  /** The options of stores in directories. */
  static final List<Option<?>> OF_DIRECTORIES =
      List.of(
          MEMORY_BYTES,
          COLLECTION_HEAP_BYTES,
          ON_CORRUPTION,
          DISK_BUDGET_BYTES,
          FREE_SPACE_FLOOR_BYTES);

  static final StoreOptions UNSET = new StoreOptions(Map.of());

  /** Returns the value of an option, or null if it was not set. */
  <T> @Nullable T get(Option<T> option) {
    return option.type().cast(explicit.get(option));
  }

  /** Returns the value of an option that is set. */
  <T> T require(Option<T> option) {
    return Objects.requireNonNull(get(option), option.name());
  }

  /** Returns a copy with one option set. */
  <T> StoreOptions with(Option<T> option, T value) {
    Map<Option<?>, Object> more = new LinkedHashMap<>(explicit);
    more.put(option, Objects.requireNonNull(value, option.name()));
    return new StoreOptions(more);
  }

  /** Returns a copy in which an option that was not set has its default. */
  <T> StoreOptions orElse(Option<T> option, Supplier<T> defaultValue) {
    return explicit.containsKey(option) ? this : with(option, defaultValue.get());
  }

  /** Returns a copy for a new temporary store, which keeps its keys inside. */
  StoreOptions forTemporary() {
    Encryption encryption = get(ENCRYPTION);
    return encryption == null || encryption.keyFile() == null
        ? this
        : with(
            ENCRYPTION,
            new Encryption(
                encryption.provider(),
                encryption.covered(),
                encryption.excepted(),
                encryption.hidden(),
                null));
  }

  /** The names of those of some options that were set. */
  List<String> explicitOf(List<Option<?>> options) {
    return options.stream().filter(explicit::containsKey).map(Option::name).toList();
  }

  /** The names of explicit options that differ from those of the open store {@code other}. */
  List<String> conflictsWith(StoreOptions other) {
    return explicit.entrySet().stream()
        .filter(option -> !option.getValue().equals(other.explicit.get(option.getKey())))
        .map(option -> option.getKey().name())
        .toList();
  }
}
