package io.rockpool.structure;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Selects records of a whole table by parts of their keys, as in {@code TableFilter.<String,
 * String>all().hashKeyStartingWith("user:")}: the filters of Pegasus' {@code ScanOptions}.
 * Immutable: each method returns a copy with one filter changed. A record passes if its hash key
 * and its sort key do.
 *
 * <p>Filters support keys that are strings, compared by character, and byte arrays, compared by
 * byte. With other key types, the methods that they are given to throw {@link
 * UnsupportedOperationException}. A scan reads the whole table; records that do not pass are not
 * decoded.
 *
 * @param <H> the type of hash keys
 * @param <S> the type of sort keys
 */
public final class TableFilter<H, S> {
  private static final TableFilter<?, ?> ALL = new TableFilter<>(null, null);

  private final @Nullable Part<H> hashKey;
  private final @Nullable Part<S> sortKey;

  private record Part<K>(KeyFilter.Kind kind, K part) {
    Part {
      Objects.requireNonNull(part, "part");
    }
  }

  private TableFilter(@Nullable Part<H> hashKey, @Nullable Part<S> sortKey) {
    this.hashKey = hashKey;
    this.sortKey = sortKey;
  }

  /** Selects every record. */
  @SuppressWarnings("unchecked") // it holds no key
  public static <H, S> TableFilter<H, S> all() {
    return (TableFilter<H, S>) ALL;
  }

  /** Selects hash keys that start with {@code part}; replaces any other filter on hash keys. */
  public TableFilter<H, S> hashKeyStartingWith(H part) {
    return new TableFilter<>(new Part<>(KeyFilter.Kind.START, part), sortKey);
  }

  /** Selects hash keys that end with {@code part}; replaces any other filter on hash keys. */
  public TableFilter<H, S> hashKeyEndingWith(H part) {
    return new TableFilter<>(new Part<>(KeyFilter.Kind.END, part), sortKey);
  }

  /** Selects hash keys that contain {@code part}; replaces any other filter on hash keys. */
  public TableFilter<H, S> hashKeyContaining(H part) {
    return new TableFilter<>(new Part<>(KeyFilter.Kind.ANYWHERE, part), sortKey);
  }

  /** Selects sort keys that start with {@code part}; replaces any other filter on sort keys. */
  public TableFilter<H, S> sortKeyStartingWith(S part) {
    return new TableFilter<>(hashKey, new Part<>(KeyFilter.Kind.START, part));
  }

  /** Selects sort keys that end with {@code part}; replaces any other filter on sort keys. */
  public TableFilter<H, S> sortKeyEndingWith(S part) {
    return new TableFilter<>(hashKey, new Part<>(KeyFilter.Kind.END, part));
  }

  /** Selects sort keys that contain {@code part}; replaces any other filter on sort keys. */
  public TableFilter<H, S> sortKeyContaining(S part) {
    return new TableFilter<>(hashKey, new Part<>(KeyFilter.Kind.ANYWHERE, part));
  }

  /** The filter on encoded hash keys. */
  KeyFilter hashKeys(TableCodec<H, S, ?> codec) {
    return hashKey == null
        ? KeyFilter.NONE
        : new KeyFilter(hashKey.kind(), codec.partOfHashKey(hashKey.part()));
  }

  /** The filter on encoded sort keys. */
  KeyFilter sortKeys(TableCodec<H, S, ?> codec) {
    return sortKey == null
        ? KeyFilter.NONE
        : new KeyFilter(sortKey.kind(), codec.entries().partOfKey(sortKey.part()));
  }
}
