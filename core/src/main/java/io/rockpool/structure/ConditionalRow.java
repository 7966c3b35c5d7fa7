package io.rockpool.structure;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Changes of a row of a table that apply only if a record of the row passes a check; see {@link
 * PersistentTable#when}. Immutable and thread-safe. Each call runs the check again.
 *
 * <p>Each call is atomic: the checked record does not change before the changes apply. The check
 * runs without a lock, and again if another thread changed the record. Two reads and one write; one
 * read if the check fails. It throws {@link UnsupportedOperationException}, and changes nothing, if
 * the check does not support such values.
 *
 * @param <S> the type of sort keys
 * @param <V> the type of values
 */
public final class ConditionalRow<S, V> {
  private final Function<Mutations<S, V>, CheckResult<V>> change;

  ConditionalRow(Function<Mutations<S, V>, CheckResult<V>> change) {
    this.change = change;
  }

  /** Puts a value, if the check passes. The sort key may be that of the checked record. */
  public CheckResult<V> put(S sortKey, V value) {
    return mutate(new Mutations<S, V>().put(sortKey, value));
  }

  /**
   * Puts a value that expires after {@code ttl}, if the check passes; zero or less removes the
   * record.
   */
  public CheckResult<V> put(S sortKey, V value, Duration ttl) {
    return mutate(new Mutations<S, V>().put(sortKey, value, ttl));
  }

  /** Puts values, all or none, if the check passes. */
  public CheckResult<V> putAll(Map<? extends S, ? extends V> values) {
    Mutations<S, V> mutations = new Mutations<>();
    values.forEach(mutations::put);
    return mutate(mutations);
  }

  /**
   * Removes a record, if the check passes. {@link CheckResult#passed} says whether it passed, not
   * whether there was a record.
   */
  public CheckResult<V> remove(S sortKey) {
    return mutate(new Mutations<S, V>().remove(sortKey));
  }

  /** Applies changes to the row, all or none, if the check passes. */
  public CheckResult<V> mutate(Mutations<S, V> mutations) {
    return change.apply(Objects.requireNonNull(mutations, "mutations"));
  }
}
