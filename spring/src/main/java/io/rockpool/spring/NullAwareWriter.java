package io.rockpool.spring;

import io.rockpool.cache.BatchWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.support.NullValue;

/** Passes batches on to an application's writer, with null for what Spring caches instead of it. */
record NullAwareWriter(BatchWriter<Object, @Nullable Object> writer)
    implements BatchWriter<Object, Object> {
  @Override
  public void writeAll(Map<Object, Object> entries) throws Exception {
    Map<Object, @Nullable Object> left = new LinkedHashMap<>();
    entries.forEach((key, value) -> left.put(key, value instanceof NullValue ? null : value));
    try {
      writer.writeAll(left);
    } catch (Throwable e) {
      entries.keySet().retainAll(left.keySet());
      throw e;
    }
  }

  @Override
  public void deleteAll(Set<Object> keys) throws Exception {
    writer.deleteAll(keys);
  }
}
