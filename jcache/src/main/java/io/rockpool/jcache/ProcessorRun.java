package io.rockpool.jcache;

import io.rockpool.internal.access.CacheAccess;
import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.RunningLoad;
import java.util.Collection;
import java.util.Objects;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;

/**
 * One call of an entry processor on one key, and the one action its doings come to. It runs again
 * if another operation or process changes the entry meanwhile; the last run counts.
 */
final class ProcessorRun<K, V, T> implements AutoCloseable {
  private final K key;
  private final Collection<? extends K> keys;
  private final RunningProcessors<K> processors;
  private final EntryProcessor<K, V, T> processor;
  private final Object[] arguments;
  private final @Nullable Loading<K, V> loading;
  private final CacheAccess<K, V> kernel;
  private final PolicyExpiry expiry;
  private final Copies<K, V> copies;
  private final DeclaredTypes<K, V> types;

  /** Whether listeners receive the old value, so that the processor must not modify it. */
  private final boolean oldValuesAreTold;

  /** The load of the last run that has asked for a value where there was none. */
  private @Nullable RunningLoad load;

  private @Nullable Seen seen;
  private @Nullable T result;
  private @Nullable Outcome<V> outcome;
  private @Nullable RuntimeException failure;

  /** Whether a run found an entry. */
  private enum Seen {
    PRESENT,
    ABSENT
  }

  /** What a processor's doings come to. */
  private enum Action {
    NONE,
    ACCESS,
    LOAD,
    PUT,
    REMOVE
  }

  /** The run on {@code key}, one of the keys that the processor is called for. */
  ProcessorRun(
      K key,
      Collection<? extends K> keys,
      EntryProcessor<K, V, T> processor,
      Object[] arguments,
      CacheParts<K, V> parts,
      CacheAccess<K, V> kernel) {
    this.keys = keys;
    this.processors = parts.processors();
    this.copies = parts.copies();
    this.types = parts.types();
    this.oldValuesAreTold = !parts.listeners().isEmpty();
    this.key = copies.ofKey(key);
    this.processor = processor;
    this.arguments = arguments;
    this.loading = parts.readThrough();
    this.kernel = kernel;
    this.expiry = parts.expiry();
  }

  /** Runs the processor on the value there, or null. */
  AttributedDecision<V> run(@Nullable V there) {
    seen = there == null ? Seen.ABSENT : Seen.PRESENT;
    Entry entry = new Entry(there);
    try (RunningProcessors.Run running = processors.begin(keys)) {
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
    return switch (entry.done) {
      case NONE -> ruling(Decision.keep());
      case ACCESS -> ruling(Decision.access());
      case LOAD -> new AttributedDecision<>(created(entry.loaded), Origin.PROCESSOR_LOADER);
      case PUT -> ruling(Decision.put(Objects.requireNonNull(entry.value)));
      case REMOVE -> ruling(Decision.remove());
    };
  }

  private AttributedDecision<V> ruling(Decision<V> decision) {
    return new AttributedDecision<>(decision, Origin.PROCESSOR);
  }

  /** What was loaded is a new entry, also in the place of one that the processor has removed. */
  private Decision<V> created(@Nullable V loaded) {
    V value = Objects.requireNonNull(loaded);
    return Decision.put(value, expiry.afterCreation(key, value))
        .unlessSuperseded(Objects.requireNonNull(load));
  }

  /** As {@link #run}, where a failure is kept for the result, and nothing is to be done. */
  AttributedDecision<V> tryRun(@Nullable V there) {
    failure = null;
    try {
      AttributedDecision<V> ruling = run(there);
      if (ruling.decision().kind() == Decision.Kind.PUT) {
        // Refused here, it concerns this key alone; later, a whole batch.
        copies.checkStorable(Objects.requireNonNull(ruling.decision().value()));
      }
      return ruling;
    } catch (RuntimeException e) {
      failure = e;
      return ruling(Decision.keep());
    }
  }

  /** Does something that follows from the run, unless something has failed; says whether it did. */
  boolean tryTo(Runnable consequence) {
    if (failure == null) {
      try {
        consequence.run();
      } catch (RuntimeException e) {
        failure = e;
      }
    }
    return failure == null;
  }

  /** Notes what became of the entry. */
  void done(Outcome<V> made) {
    outcome = made;
  }

  /** Ends the load, once its value is stored or is not wanted. */
  @Override
  public void close() {
    if (load != null) {
      load.close();
      load = null;
    }
  }

  /** What the run counts as, also one that has failed. */
  Tally tally() {
    return new Tally(
        seen == Seen.PRESENT ? 1 : 0,
        seen == Seen.ABSENT ? 1 : 0,
        outcome == null ? 0 : outcome.puts(),
        outcome == null ? 0 : outcome.removals());
  }

  @Nullable T result() {
    return result;
  }

  /** The result as one of many; null if there is none to tell of. */
  @Nullable InvocationResult<T> resultOfMany() {
    if (failure != null) {
      return InvocationResult.failed(failure);
    }
    return result == null ? null : new InvocationResult<>(result, null);
  }

  private final class Entry implements MutableEntry<K, V> {
    private final boolean there;
    private @Nullable V value;
    private @Nullable V loaded;
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
          value = oldValuesAreTold ? copies.ofValue(value) : value;
        }
      } else if (loading != null) {
        close(); // what an earlier call or run has loaded counts no more
        load = kernel.beginLoad(key);
        loaded = loading.loadAbsent(key, kernel);
        if (loaded != null) {
          done = Action.LOAD;
          value = copies.ofValue(loaded);
        }
      }
      return value;
    }

    @Override
    public void setValue(V newValue) {
      types.checkValue(Objects.requireNonNull(newValue, "value"));
      value = newValue;
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
