package io.rockpool.structure;

import org.jspecify.annotations.Nullable;

/**
 * Selects records of a whole table by parts of their keys, as in {@code TableFilter.<String,
 * String>all().hashKeyStartingWith("user:")}: the filters of Pegasus' {@code ScanOptions}.
 * Immutable: each method returns a copy with one more filter. A record passes if its keys pass all.
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

  private final @Nullable KeyPart<H> hashKey;
  private final @Nullable KeyPart<S> sortKey;

  private TableFilter(@Nullable KeyPart<H> hashKey, @Nullable KeyPart<S> sortKey) {
    this.hashKey = hashKey;
    this.sortKey = sortKey;
  }

  /** Selects every record. */
  @SuppressWarnings("unchecked") // it holds no key
  public static <H, S> TableFilter<H, S> all() {
    return (TableFilter<H, S>) ALL;
  }

  /** Selects hash keys that start with {@code part}. */
  public TableFilter<H, S> hashKeyStartingWith(H part) {
    return new TableFilter<>(new KeyPart<>(KeyFilter.Kind.START, part, hashKey), sortKey);
  }

  /** Selects hash keys that end with {@code part}. */
  public TableFilter<H, S> hashKeyEndingWith(H part) {
    return new TableFilter<>(new KeyPart<>(KeyFilter.Kind.END, part, hashKey), sortKey);
  }

  /** Selects hash keys that contain {@code part}. */
  public TableFilter<H, S> hashKeyContaining(H part) {
    return new TableFilter<>(new KeyPart<>(KeyFilter.Kind.ANYWHERE, part, hashKey), sortKey);
  }

  /** Selects sort keys that start with {@code part}. */
  public TableFilter<H, S> sortKeyStartingWith(S part) {
    return new TableFilter<>(hashKey, new KeyPart<>(KeyFilter.Kind.START, part, sortKey));
  }

  /** Selects sort keys that end with {@code part}. */
  public TableFilter<H, S> sortKeyEndingWith(S part) {
    return new TableFilter<>(hashKey, new KeyPart<>(KeyFilter.Kind.END, part, sortKey));
  }

  /** Selects sort keys that contain {@code part}. */
  public TableFilter<H, S> sortKeyContaining(S part) {
    return new TableFilter<>(hashKey, new KeyPart<>(KeyFilter.Kind.ANYWHERE, part, sortKey));
  }

  /** The filter on encoded hash keys. */
  KeyFilter hashKeys(TableCodec<H, S, ?> codec) {
    return KeyPart.filter(hashKey, codec::partOfHashKey);
  }

  /** The filter on encoded sort keys. */
  KeyFilter sortKeys(TableCodec<H, S, ?> codec) {
    return KeyPart.filter(sortKey, codec.entries()::partOfKey);
  }
}
