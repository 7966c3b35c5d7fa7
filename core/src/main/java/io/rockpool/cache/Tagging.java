package io.rockpool.cache;

import io.rockpool.error.LimitExceededException;
import io.rockpool.internal.format.EntryTagsFormat;
import io.rockpool.internal.format.Utf8;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Gives tags to the values that one operation writes. It is made before the operation reads or
 * loads anything: if a tag is invalidated after that, an entry with it has ended when it is
 * written. An operation that reads again, to decide again on a value of its caller, calls {@link
 * #renew} before. Belongs to one thread.
 */
final class Tagging<K, V> {
  /**
   * The longest tag, in bytes of UTF-8, unless the keys of the engine have to be shorter: every
   * entry with the tag contains it, and it is the key of its mark.
   */
  static final int MAX_TAG_BYTES = 1 << 10;

  /** The most tags of an entry: a read may have to look each of them up. */
  static final int MAX_TAGS = 128;

  /** The epoch of an operation that gives no tags. */
  static final long NO_EPOCH = 0;

  private static final Tagging<?, ?> NONE = new Tagging<>(null, NO_EPOCH, (key, value) -> Set.of());

  private final @Nullable TagMarks marks;
  private long epoch;
  private final BiFunction<? super K, ? super V, ? extends Collection<String>> tagger;

  private Tagging(
      @Nullable TagMarks marks,
      long epoch,
      BiFunction<? super K, ? super V, ? extends Collection<String>> tagger) {
    this.marks = marks;
    this.epoch = epoch;
    this.tagger = tagger;
  }

  /** Gives no tags. */
  @SuppressWarnings("unchecked") // it uses no value of these types
  static <K, V> Tagging<K, V> none() {
    return (Tagging<K, V>) NONE;
  }

  /** Gives the tags that {@code tagger} returns, in an epoch. */
  static <K, V> Tagging<K, V> of(
      TagMarks marks,
      long epoch,
      BiFunction<? super K, ? super V, ? extends Collection<String>> tagger) {
    return new Tagging<>(marks, epoch, tagger);
  }

  /** The epoch when the operation began. */
  long epoch() {
    return epoch;
  }

  /** Begins again; returns whether a tag may have been invalidated since. Not for a load. */
  boolean renew() {
    if (marks == null) {
      return false;
    }
    long before = epoch;
    epoch = marks.epoch();
    return epoch != before;
  }

  /** The tags of a value; null for none. */
  @Nullable EntryTags of(K key, V value) {
    if (marks == null) {
      return null;
    }
    Collection<String> tags =
        Objects.requireNonNull(
            tagger.apply(key, value), "The tags are null; return an empty set for none.");
    return tags.isEmpty()
        ? null
        : new EntryTags(marks, EntryTagsFormat.encode(epoch, bytesOfEntry(tags, marks)));
  }

  /**
   * The result of another thread's load, unless one of its tags was invalidated between the
   * beginning of that load and of this operation.
   */
  boolean accepts(@Nullable HotEntry loaded) {
    EntryTags tags = loaded == null ? null : loaded.tags();
    return tags == null || !(epoch == NO_EPOCH ? tags.hasEnded() : tags.hadEnded(epoch));
  }

  private static List<byte[]> bytesOfEntry(Collection<String> tags, TagMarks marks) {
    List<byte[]> bytes = bytes(tags, marks);
    checkLimit("number of tags of an entry", bytes.size(), MAX_TAGS, marks.cache());
    return bytes;
  }

  /**
   * The bytes of tags, each once.
   *
   * @throws IllegalArgumentException if a tag is empty or has half of a surrogate pair
   * @throws LimitExceededException if one is too long
   */
  static List<byte[]> bytes(Collection<String> tags, TagMarks marks) {
    Set<String> distinct = new LinkedHashSet<>(tags);
    List<byte[]> all = new ArrayList<>(distinct.size());
    for (String tag : distinct) {
      all.add(bytes(tag, marks));
    }
    return all;
  }

  private static byte[] bytes(String tag, TagMarks marks) {
    String cache = marks.cache();
    Objects.requireNonNull(tag, "tag");
    if (tag.isEmpty()) {
      throw new IllegalArgumentException(
          "A tag of the cache \"" + cache + "\" is empty; give it a name.");
    }
    byte[] bytes = Utf8.bytes("A tag of the cache \"" + cache + "\"", tag);
    checkLimit("length of a tag", bytes.length, marks.maxTagBytes(), cache);
    return bytes;
  }

  private static void checkLimit(String what, int number, int limit, String cache) {
    if (number > limit) {
      throw new LimitExceededException(
          "In the cache \""
              + cache
              + "\", the "
              + what
              + " is "
              + number
              + "; the limit is "
              + limit
              + ". Use fewer or shorter tags.",
          what,
          limit,
          number,
          cache);
    }
  }
}
