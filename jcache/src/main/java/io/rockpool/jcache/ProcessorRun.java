package io.rockpool.jcache;

import io.rockpool.cache.Decision;
import java.util.Objects;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;

/**
 * One call of an entry processor on one key, and the one action its doings come to. It may run more
 * than once, if the entry is changed meanwhile; the last run counts.
 */
final class ProcessorRun<K, V, T> {
  private final K key;
  private final EntryProcessor<K, V, T> processor;
  private final Object[] arguments;
  private final @Nullable Loading<K, V> loading;
  private Action action = Action.NONE;
  private @Nullable T result;

  /** What a processor's doings come to. */
  private enum Action {
    NONE,
    ACCESS,
    LOAD,
    PUT,
    REMOVE
  }

  ProcessorRun(
      K key,
      EntryProcessor<K, V, T> processor,
      Object[] arguments,
      @Nullable Loading<K, V> loading) {
    this.key = key;
    this.processor = processor;
    this.arguments = arguments;
    this.loading = loading;
  }

  /** Runs the processor on the value there, or null. */
  Decision<V> run(@Nullable V there) {
    Entry entry = new Entry(there);
    try {
      result = processor.process(entry, arguments);
    } catch (EntryProcessorException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new EntryProcessorException(
          "An entry processor of class "
              + processor.getClass().getName()
              + " failed; the entry was not changed.",
          e);
    }
    action = entry.done;
    return switch (action) {
      case NONE -> Decision.keep();
      case ACCESS -> Decision.access();
      case LOAD, PUT -> Decision.put(Objects.requireNonNull(entry.value, "value"));
      case REMOVE -> Decision.remove();
    };
  }

  @Nullable T result() {
    return result;
  }

  /** Whether a writer is to be told: not of what was loaded. */
  boolean writesThrough() {
    return action == Action.PUT || action == Action.REMOVE;
  }

  boolean hasPut() {
    return action == Action.PUT;
  }

  boolean hasRemoved() {
    return action == Action.REMOVE;
  }

  private final class Entry implements MutableEntry<K, V> {
    private final boolean there;
    private @Nullable V value;
    private Action done = Action.NONE;

    Entry(@Nullable V value) {
      this.value = value;
      this.there = value != null;
    }

    @Override
    public boolean exists() {
      return value != null;
    }

    @Override
    public K getKey() {
      return key;
    }

    @Override
    @SuppressWarnings("NullAway") // the specification wants null where there is none
    public V getValue() {
      if (value != null) {
        if (done == Action.NONE) {
          done = Action.ACCESS;
        }
      } else if (loading != null) {
        value = loading.load(key);
        if (value != null) {
          done = Action.LOAD;
        }
      }
      return value;
    }

    @Override
    public void setValue(V newValue) {
      value = Objects.requireNonNull(newValue, "value");
      done = Action.PUT;
    }

    @Override
    public void remove() {
      boolean madeHere = !there && (done == Action.PUT || done == Action.LOAD);
      done = madeHere ? Action.NONE : Action.REMOVE;
      value = null;
    }

    @Override
    public <U> U unwrap(Class<U> type) {
      return Unwrapping.of(this, type);
    }
  }
}
