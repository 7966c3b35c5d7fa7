package io.rockpool.cache;

import io.rockpool.engine.RecordChecks.RecordCheck;
import io.rockpool.engine.RowRecord;
import io.rockpool.internal.format.CacheValueFormat;
import org.jspecify.annotations.Nullable;

/** Checks that each record of a cache is an entry and, if its format is known, can be decoded. */
final class CacheEntryCheck implements RecordCheck {
  private final @Nullable CacheEntryFormat<?, ?> format;

  CacheEntryCheck(@Nullable CacheEntryFormat<?, ?> format) {
    this.format = format;
  }

  @Override
  public void check(RowRecord record, boolean counted) {
    CacheValueFormat.headerBytes(record.value(), 0, record.value().length);
    if (format != null) {
      format.decodeKey(record.hashKey());
      format.recordValue(record);
    }
  }

  @Override
  public void end() {}
}
