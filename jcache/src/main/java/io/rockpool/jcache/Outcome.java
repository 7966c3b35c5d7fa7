package io.rockpool.jcache;

import io.rockpool.internal.access.Decision;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * What became of an entry.
 *
 * @param before the value it had
 * @param ruling what was to be done
 * @param changed whether the store was changed
 * @param skipped whether the entry was removed because the new value cannot be encoded
 */
record Outcome<V>(
    @Nullable V before, AttributedDecision<V> ruling, boolean changed, boolean skipped) {
  boolean wasThere() {
    return before != null;
  }

  /**
   * Whether the entry was given a value: not where a new one expired at once, nor where the key was
   * removed while the value was loaded, nor where the value was skipped.
   */
  boolean isPut() {
    return ruling.decision().kind() == Decision.Kind.PUT && changed && !skipped;
  }

  private boolean isRemoval() {
    return wasThere() && (skipped || (ruling.decision().kind() == Decision.Kind.REMOVE && changed));
  }

  /** How many puts this counts as. */
  int puts() {
    return isPut() && ruling.isWrittenThrough() ? 1 : 0;
  }

  /** How many removals this counts as: none for a put whose value was skipped. */
  int removals() {
    return isRemoval() && !skipped ? 1 : 0;
  }

  /** The event that this raises, if any. */
  @Nullable EventType event() {
    if (isPut()) {
      // As the reference implementation has it: what a processor has loaded is always new.
      return wasThere() && ruling.origin() != Origin.PROCESSOR_LOADER
          ? EventType.UPDATED
          : EventType.CREATED;
    }
    return isRemoval() ? EventType.REMOVED : null;
  }
}
