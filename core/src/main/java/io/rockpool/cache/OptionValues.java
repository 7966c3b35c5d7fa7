package io.rockpool.cache;

import java.io.Serializable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The options that were set, with their values. Immutable; serializable if the values are. */
public final class OptionValues implements Serializable {
  private static final long serialVersionUID = 1L;

  /** No option is set. */
  public static final OptionValues NONE = new OptionValues(Map.of());

  @SuppressWarnings("serial") // serializable if the values are
  private final Map<CacheOption<?>, Object> values;

  private OptionValues(Map<CacheOption<?>, Object> values) {
    this.values = Map.copyOf(values);
  }

  /** Returns the value of an option, or null if it is not set. */
  @SuppressWarnings("unchecked") // with() stores values of the option's type only
  public <T> @Nullable T get(CacheOption<T> option) {
    return (T) values.get(option);
  }

  /**
   * Returns a copy with one option set.
   *
   * @throws IllegalArgumentException if the value is out of the option's range
   */
  public <T> OptionValues with(CacheOption<T> option, T value) {
    Map<CacheOption<?>, Object> more = new HashMap<>(values);
    more.put(option, Objects.requireNonNull(option.check(value)));
    return new OptionValues(more);
  }

  /** Returns a copy in which these options are not set. */
  public OptionValues without(CacheOption<?>... options) {
    Map<CacheOption<?>, Object> rest = new HashMap<>(values);
    rest.keySet().removeAll(Arrays.asList(options));
    return new OptionValues(rest);
  }

  /** Returns these options, and those of {@code others} that are not set here. */
  public OptionValues orElse(OptionValues others) {
    Map<CacheOption<?>, Object> all = new HashMap<>(others.values);
    all.putAll(values);
    return new OptionValues(all);
  }

  /** Rejects options that an open cache has with other values. */
  void requireAsOpen(String name, OptionValues open) {
    List<String> differences = differencesFrom(open);
    if (!differences.isEmpty()) {
      throw new IllegalStateException(
          "The cache \""
              + name
              + "\" is already open with other options: "
              + String.join("; ", differences)
              + ". Open it with the same, or leave them unset.");
    }
  }

  /**
   * Returns the options that are set here and have another value in {@code there}, with both
   * values.
   */
  private List<String> differencesFrom(OptionValues there) {
    return values.entrySet().stream()
        .filter(it -> !it.getValue().equals(there.values.get(it.getKey())))
        .map(
            it -> {
              Object other = there.values.get(it.getKey());
              String before = other == null ? "unset" : other.toString();
              return it.getKey().name() + " is " + before + ", not " + it.getValue();
            })
        .sorted()
        .toList();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof OptionValues options && values.equals(options.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
