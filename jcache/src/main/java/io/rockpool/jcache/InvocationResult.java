package io.rockpool.jcache;

import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;

/** What an entry processor came to for one key of many. */
record InvocationResult<T>(@Nullable T value, @Nullable EntryProcessorException failure)
    implements EntryProcessorResult<T> {
  static <T> InvocationResult<T> failed(RuntimeException e) {
    return new InvocationResult<>(
        null, e instanceof EntryProcessorException known ? known : new EntryProcessorException(e));
  }

  @Override
  @SuppressWarnings("NullAway") // a result without a failure has a value
  public T get() {
    if (failure != null) {
      throw failure;
    }
    return value;
  }
}
