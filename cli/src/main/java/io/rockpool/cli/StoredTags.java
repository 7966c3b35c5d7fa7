package io.rockpool.cli;

import io.rockpool.engine.Engine;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Limits;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.internal.format.EntryTagsFormat;
import io.rockpool.internal.format.TagEpochFormat;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The tags of a cache that were invalidated, read from the hidden space that has them. */
final class StoredTags {
  private static final byte[] EPOCH_ROW = {};

  /** The most tags in memory. Beyond that, all are forgotten. */
  private static final int MAX_KNOWN = 1 << 15;

  private final @Nullable Space space;
  private final @Nullable Epochs epochs;
  private final Map<String, Long> known = new HashMap<>();

  /**
   * The epochs of a cache.
   *
   * @param now the current one
   * @param first entries of earlier ones belong to a cache that was dropped
   */
  record Epochs(long now, long first) {
    private static @Nullable Epochs of(@Nullable Space space) {
      RowRecord record = space == null ? null : space.get(EPOCH_ROW, Space.NO_SORT_KEY);
      return record == null
          ? null
          : new Epochs(TagEpochFormat.epoch(record.value()), TagEpochFormat.first(record.value()));
    }
  }

  private StoredTags(@Nullable Space space) {
    this.space = space;
    this.epochs = Epochs.of(space);
  }

  /** Those of a cache, also of one without tags. */
  static StoredTags of(Engine engine, String cache) {
    String name = SpaceName.TAGS + "/" + cache;
    return new StoredTags(isTooLong(name) ? null : engine.open(name));
  }

  private static boolean isTooLong(String name) {
    return name.getBytes(StandardCharsets.UTF_8).length > Limits.MAX_NAME_BYTES;
  }

  /** The epochs; null if no entry can have tags. */
  @Nullable Epochs epochs() {
    return epochs;
  }

  /**
   * Whether one of an entry's tags was invalidated since it was written.
   *
   * @param tags as its record has them; null for none
   */
  boolean haveEnded(byte @Nullable [] tags) {
    if (tags == null) {
      return false;
    }
    long epoch = EntryTagsFormat.epoch(tags);
    Epochs all = epochs;
    if (all == null || epoch < all.first()) {
      return true;
    }
    if (epoch >= all.now()) {
      return false;
    }
    List<String> names = new ArrayList<>();
    EntryTagsFormat.tags(tags).forEach(tag -> names.add(new String(tag, StandardCharsets.UTF_8)));
    read(names);
    return names.stream().anyMatch(name -> Objects.requireNonNull(known.get(name)) > epoch);
  }

  private void read(List<String> names) {
    if (known.size() + names.size() > MAX_KNOWN) {
      known.clear();
    }
    List<String> unknown = names.stream().filter(name -> !known.containsKey(name)).toList();
    List<@Nullable RowRecord> records =
        Objects.requireNonNull(space)
            .getAll(
                unknown.stream()
                    .map(
                        name ->
                            new RecordKey(name.getBytes(StandardCharsets.UTF_8), Space.NO_SORT_KEY))
                    .toList());
    for (int at = 0; at < unknown.size(); at++) {
      RowRecord mark = records.get(at);
      known.put(unknown.get(at), mark == null ? 0 : TagEpochFormat.mark(mark.value()));
    }
  }

  /**
   * Makes the space of a cache that is imported, so that its entries keep their tags. May run again
   * after an interrupt.
   *
   * @throws IllegalArgumentException if the name of the cache is too long for it
   */
  static void create(Engine engine, String cache, Epochs epochs) {
    String name = SpaceName.TAGS + "/" + cache;
    if (isTooLong(name)) {
      throw new IllegalArgumentException(
          "The entries have tags, and \""
              + cache
              + "\" is too long a name for these. Give a"
              + " shorter one with --as.");
    }
    Space space = engine.open(name);
    if (space == null) {
      space = engine.create(new SpaceSpec(name, Layout.ROWS, Map.of()));
    }
    Epochs there = Epochs.of(space);
    if (there != null && there.first() == epochs.first()) {
      return;
    }
    space.clear(); // that of a cache whose drop was interrupted
    space.transact(
        EPOCH_ROW,
        row -> {
          row.put(
              Space.NO_SORT_KEY, TagEpochFormat.encode(epochs.now(), epochs.first()), Expiry.NEVER);
          return true;
        });
  }
}
