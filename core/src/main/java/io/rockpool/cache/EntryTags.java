package io.rockpool.cache;

import io.rockpool.internal.format.EntryTagsFormat;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tags of an entry, and the epoch of its cache when its value was made. The entry ends when one
 * of the tags is invalidated in a later epoch.
 */
final class EntryTags {
  private final TagMarks marks;
  private final byte[] bytes;

  /**
   * The last {@link TagMarks#version} in which no tag was invalidated. Threads may overwrite each
   * other's.
   */
  private @Nullable Object checked;

  /**
   * The tags of a record.
   *
   * @param bytes as {@link EntryTagsFormat} writes them
   */
  EntryTags(TagMarks marks, byte[] bytes) {
    this.marks = marks;
    this.bytes = bytes;
  }

  byte[] bytes() {
    return bytes;
  }

  long epoch() {
    return EntryTagsFormat.epoch(bytes);
  }

  /** The tags, as keys of their records. */
  List<EntryKey> names() {
    List<EntryKey> names = new ArrayList<>();
    EntryTagsFormat.tags(bytes).forEach(tag -> names.add(new EntryKey(tag)));
    return names;
  }

  boolean isCheckedIn(@Nullable Object version) {
    return version != null && checked == version;
  }

  void checkedIn(@Nullable Object version) {
    checked = version;
  }

  /**
   * The tags in the current epoch, if one of them was invalidated since; else null. In a
   * transaction null: the write cannot be repeated after the commit.
   */
  @Nullable EntryTags renewed() {
    long now = marks.isCurrent(epoch()) ? epoch() : marks.epoch();
    return now == epoch() || marks.inTransaction() || !hasEnded()
        ? null
        : new EntryTags(marks, EntryTagsFormat.encode(now, EntryTagsFormat.tags(bytes)));
  }

  /** Whether one of the tags was invalidated since. */
  boolean hasEnded() {
    return marks.hasEnded(this, false);
  }

  /** Whether one of the tags was invalidated since and until an epoch. */
  boolean hadEnded(long then) {
    return marks.hadEnded(this, then);
  }

  /** Whether an entry in memory has ended. One read if a tag is not in memory. */
  boolean hasEndedInMemory() {
    return marks.hasEndedInMemory(this);
  }
}
