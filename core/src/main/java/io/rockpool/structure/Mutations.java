package io.rockpool.structure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Changes of several records of a table's row, made in the order in which they are collected: of
 * two at one sort key, the later stays. Not thread-safe.
 *
 * <pre>{@code
 * new Mutations<String, Long>().put("balance", 10L).put("pending", 1L, ttl).remove("locked")
 * }</pre>
 *
 * @param <S> the type of sort keys
 * @param <V> the type of values
 */
public final class Mutations<S, V> {
  private final List<Mutation<S, V>> all = new ArrayList<>();

  /** One change: no value to remove the record, no time to live for the table's own. */
  record Mutation<S, V>(S sortKey, @Nullable V value, @Nullable Duration ttl) {
    Mutation {
      Objects.requireNonNull(sortKey, "sortKey");
    }
  }

  /** No changes yet. */
  public Mutations() {}

  /** Puts a value. */
  public Mutations<S, V> put(S sortKey, V value) {
    all.add(new Mutation<>(sortKey, Objects.requireNonNull(value, "value"), null));
    return this;
  }

  /** Puts a value that lives for {@code ttl} from the change on; zero or less removes it. */
  public Mutations<S, V> put(S sortKey, V value, Duration ttl) {
    Objects.requireNonNull(value, "value");
    all.add(new Mutation<>(sortKey, value, Objects.requireNonNull(ttl, "ttl")));
    return this;
  }

  /** Removes a record, if there is one. */
  public Mutations<S, V> remove(S sortKey) {
    all.add(new Mutation<>(sortKey, null, null));
    return this;
  }

  List<Mutation<S, V>> all() {
    return all;
  }
}
