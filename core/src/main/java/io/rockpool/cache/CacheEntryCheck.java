package io.rockpool.cache;

import io.rockpool.engine.RecordChecks.RecordCheck;
import io.rockpool.engine.RowRecord;
import io.rockpool.internal.format.CacheValueFormat;
import io.rockpool.internal.format.EntryTagsFormat;
import org.jspecify.annotations.Nullable;

/** Checks that each record of a cache is an entry and, if its format is known, can be decoded. */
final class CacheEntryCheck implements RecordCheck {
  private final @Nullable CacheEntryFormat<?, ?> format;

  CacheEntryCheck(@Nullable CacheEntryFormat<?, ?> format) {
    this.format = format;
  }

  @Override
  public void check(RowRecord record, boolean counted) {
    byte[] value = record.value();
    CacheValueFormat.headerBytes(value, 0, value.length);
    byte[] tags = CacheValueFormat.tags(value, 0, value.length);
    if (tags != null) {
      EntryTagsFormat.tags(tags);
    }
    if (format != null) {
      format.decodeKey(record.hashKey());
      format.recordValue(record);
    }
  }

  @Override
  public void end() {}
}
