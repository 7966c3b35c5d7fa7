package io.rockpool.spring.boot;

import io.rockpool.cache.CacheOption;
import io.rockpool.cache.OptionValues;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

/**
 * Options from properties. Immutable.
 *
 * @param prefix in front of their keys in messages
 */
record PropertyOptions(String prefix, OptionValues values) {
  PropertyOptions(String prefix) {
    this(prefix, OptionValues.NONE);
  }

  PropertyOptions set(CacheOption<Long> option, @Nullable DataSize size) {
    return set(option, size == null ? null : size.toBytes());
  }

  /**
   * Sets an option, unless the value is null.
   *
   * @throws InvalidConfigurationPropertyValueException if it is out of the option's range
   */
  <T> PropertyOptions set(CacheOption<T> option, @Nullable T value) {
    if (value == null) {
      return this;
    }
    String advice = option.adviceAgainst(value);
    if (advice != null) {
      throw new InvalidConfigurationPropertyValueException(
          prefix + option.key(), value, StringUtils.capitalize(advice));
    }
    return new PropertyOptions(prefix, values.with(option, value));
  }
}
