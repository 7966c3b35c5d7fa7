package io.rockpool.cache;

import io.rockpool.internal.access.TaggedLoader;
import io.rockpool.store.Durability;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Gives the values of one cache their tags, and knows which entries an invalidation has ended. */
final class EntryTagging<K, V> {
  private final TagMarks marks;
  private final Optional<Durability> durability;

  /** Returns the tags of values; null for none. */
  private final @Nullable BiFunction<? super K, ? super V, ? extends Collection<String>> tagger;

  EntryTagging(TagMarks marks, CacheOptions<K, V> options) {
    this.marks = marks;
    this.durability = options.durability();
    this.tagger = options.tagger();
  }

  /** Gives tags to the values of an operation that has read nothing yet. */
  Tagging<K, V> begin() {
    return tagger == null ? Tagging.none() : Tagging.of(marks, marks.epoch(), tagger);
  }

  /** Like {@link #begin()}, with these tags as well. */
  Tagging<K, V> begin(BiFunction<? super K, ? super V, ? extends Collection<String>> more) {
    return Tagging.of(marks, marks.epoch(), union(tagger, more));
  }

  private static <K, V> BiFunction<? super K, ? super V, ? extends Collection<String>> union(
      @Nullable BiFunction<? super K, ? super V, ? extends Collection<String>> some,
      BiFunction<? super K, ? super V, ? extends Collection<String>> more) {
    return some == null
        ? more
        : (key, value) -> {
          Set<String> all = new LinkedHashSet<>(some.apply(key, value));
          all.addAll(more.apply(key, value));
          return all;
        };
  }

  /** Like {@link #begin()}, for values of a loader that has not begun. */
  Tagging<K, V> begin(ValueLoader<? super K, ? extends @Nullable V> loader) {
    return loader instanceof TaggedLoader<?, ?> ? begin(tags(loader)) : begin();
  }

  /** Like {@link #begin()}, for the value of a load, as of its beginning. */
  Tagging<K, V> since(Loads.Load load, Collection<String> more) {
    return load.tagEpoch == Tagging.NO_EPOCH
        ? Tagging.none()
        : Tagging.of(marks, load.tagEpoch, union(tagger, (key, value) -> more));
  }

  /** The tags of the value of a load that has ended on this thread; null for none. */
  @Nullable EntryTags tags(
      Loads.Load load, ValueLoader<? super K, ? extends @Nullable V> loader, K key, V value) {
    Collection<String> more =
        loader instanceof TaggedLoader<?, ?> ? tags(loader).apply(key, value) : Set.of();
    return since(load, more).of(key, value);
  }

  @SuppressWarnings("unchecked") // a loader of V's
  private BiFunction<K, V, Collection<String>> tags(
      ValueLoader<? super K, ? extends @Nullable V> loader) {
    return ((TaggedLoader<K, V>) loader)::tags;
  }

  /**
   * The epoch for a load that begins.
   *
   * @param tagged whether its value may get tags that the tagger does not give it
   */
  long epoch(boolean tagged) {
    return tagger == null && !tagged ? Tagging.NO_EPOCH : marks.epoch();
  }

  /** Ends all entries with one of these tags. */
  void invalidate(Collection<String> tags) {
    marks.invalidate(tags, durability);
  }
}
