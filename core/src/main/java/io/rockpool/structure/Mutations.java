package io.rockpool.structure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Changes of several records of a table's row, applied in the order of the calls. The last change
 * of a sort key wins. Not thread-safe.
 *
 * <pre>{@code
 * new Mutations<String, Long>().put("balance", 10L).put("pending", 1L, ttl).remove("locked");
 * }</pre>
 *
 * @param <S> the type of sort keys
 * @param <V> the type of values
 */
public final class Mutations<S, V> {
  private final List<Mutation<S, V>> all = new ArrayList<>();

  /** One change. A null value removes the record; a null ttl means the table's default. */
  record Mutation<S, V>(S sortKey, @Nullable V value, @Nullable Duration ttl) {
    Mutation {
      Objects.requireNonNull(sortKey, "sortKey");
    }
  }

  /** Creates an empty list of changes. */
  public Mutations() {}

  /** Puts a value. */
  public Mutations<S, V> put(S sortKey, V value) {
    all.add(new Mutation<>(sortKey, Objects.requireNonNull(value, "value"), null));
    return this;
  }

  /** Puts a value that expires {@code ttl} after the change; zero or less removes the record. */
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
