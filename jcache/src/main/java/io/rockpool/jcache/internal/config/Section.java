package io.rockpool.jcache.internal.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import io.rockpool.cache.CacheOption;
import io.rockpool.cache.HotSize;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/**
 * One object of a configuration file. What is wrong in it is a {@link CacheException} that says in
 * which line. Null is what a key has that is not there.
 */
final class Section {
  private final String what;
  private final Config config;

  /**
   * The section of {@code what}, a phrase such as {@code cache "orders"}.
   *
   * @throws CacheException if it has a key that is not among {@code known}
   */
  Section(String what, Config config, Set<String> known) {
    this.what = what;
    this.config = config;
    config.root().forEach((key, value) -> check(key, value, known));
  }

  private void check(String key, ConfigValue value, Set<String> known) {
    if (!known.contains(key)) {
      throw new CacheException(
          where(value.origin())
              + "there is no setting \""
              + key
              + "\" of "
              + what
              + Suggestion.to(key, known)
                  .map(it -> "; did you mean \"" + it + "\"?")
                  .orElse(". There are: " + String.join(", ", new TreeSet<>(known)) + "."));
    }
  }

  static String where(ConfigOrigin origin) {
    return origin.description() + ": ";
  }

  /** Whether there is a value. */
  boolean has(String key) {
    return config.hasPath(path(key));
  }

  /** This section's values, and those of {@code other} where this has none. */
  Config orElse(Config other) {
    return config.withFallback(other);
  }

  /** What is wrong with the value of a key, and what would be right. */
  CacheException error(String key, String advice, @Nullable Throwable cause) {
    ConfigValue value = config.getValue(path(key));
    return new CacheException(
        where(value.origin())
            + key
            + " of "
            + what
            + " is "
            + value.render(ConfigRenderOptions.concise())
            + "; "
            + advice,
        cause);
  }

  @Nullable String text(String key) {
    return read(key, "give a text.", config::getString);
  }

  /** A list of texts; empty where there is none. */
  List<String> texts(String key) {
    List<String> texts = read(key, "give a list of texts: [a, b].", config::getStringList);
    return texts == null ? List.of() : texts;
  }

  @Nullable Boolean flag(String key) {
    return read(key, "give true or false.", config::getBoolean);
  }

  /** A number of things, 0 or more. */
  private @Nullable Long count(String key, String advice) {
    Double number = read(key, advice, config::getDouble);
    if (number != null && (number < 0 || number != Math.rint(number))) {
      throw error(key, advice, null);
    }
    return number == null ? null : Long.valueOf(config.getLong(path(key)));
  }

  private @Nullable Double fraction(String key) {
    return read(key, "give a fraction from 0 to below 1, such as 0.1.", config::getDouble);
  }

  /** A number of bytes, 0 or more. */
  @Nullable Long bytes(String key) {
    return read(key, "give a number of bytes, such as 64MiB.", config::getBytes);
  }

  private @Nullable HotSize hotSize(String key) {
    String advice = "give a number of entries, such as 10000, or of bytes, such as 64MiB.";
    String text = read(key, advice, config::getString);
    if (text == null) {
      return null;
    }
    if (text.chars().noneMatch(Character::isLetter)) {
      Long entries = count(key, advice);
      return entries == null ? null : HotSize.entries(entries);
    }
    return HotSize.bytes(Objects.requireNonNull(read(key, advice, config::getBytes)));
  }

  @Nullable Duration duration(String key) {
    String advice = "give a duration, such as 30s or 10 minutes.";
    Duration duration = read(key, advice, config::getDuration);
    if (duration != null && duration.isNegative()) {
      throw error(key, advice, null);
    }
    return duration;
  }

  /** One of an enum's constants, in letters of any case. */
  <E> @Nullable E choice(String key, Class<E> type) {
    String text = text(key);
    if (text == null) {
      return null;
    }
    return Arrays.stream(type.getEnumConstants())
        .filter(it -> nameOf(it).equalsIgnoreCase(text))
        .findAny()
        .orElseThrow(
            () ->
                error(
                    key,
                    "give one of "
                        + Arrays.stream(type.getEnumConstants())
                            .map(it -> nameOf(it).toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", "))
                        + ".",
                    null));
  }

  private static String nameOf(Object constant) {
    return ((Enum<?>) constant).name();
  }

  /** The value of an option that has a text. */
  @SuppressWarnings("unchecked") // the kind of an option determines its type
  <T> @Nullable T value(CacheOption<T> option) {
    String key = option.key();
    T value =
        (T)
            switch (option.kind()) {
              case NUMBER -> count(key, "give a whole number, 0 or more.");
              case BYTES -> bytes(key);
              case HOT_SIZE -> hotSize(key);
              case FRACTION -> fraction(key);
              case DURATION -> duration(key);
              case FLAG -> flag(key);
              case CHOICE -> choice(key, option.type());
              case TEXT -> text(key);
              case CODE -> throw new IllegalArgumentException(key + " has no text.");
            };
    String advice = value == null ? null : option.adviceAgainst(value);
    if (advice != null) {
      throw error(key, advice, null);
    }
    return value;
  }

  /** A class of the application's. */
  @Nullable NamedClass className(String key) {
    String name = text(key);
    return name == null ? null : new NamedClass(name, this, key);
  }

  /** A section in this one. */
  @Nullable Section section(String key, String itsWhat, Set<String> known) {
    Config inner = object(key);
    return inner == null ? null : new Section(itsWhat, inner, known);
  }

  /** What is in braces; null if nothing is. */
  @Nullable Config object(String key) {
    return read(key, "give settings in braces.", config::getConfig);
  }

  /** The sections of a list; none if there is none. */
  List<Section> sections(String key, String itsWhat, Set<String> known) {
    List<? extends Config> list =
        read(key, "give a list of settings: [{ … }].", config::getConfigList);
    return list == null
        ? List.of()
        : list.stream().map(it -> new Section(itsWhat, it, known)).toList();
  }

  ConfigObject root() {
    return config.root();
  }

  private <T> @Nullable T read(String key, String advice, Reading<T> reading) {
    try {
      return has(key) ? reading.read(path(key)) : null;
    } catch (ConfigException e) {
      throw error(key, advice, e);
    }
  }

  private interface Reading<T> {
    T read(String path);
  }

  private static String path(String key) {
    return ConfigUtil.joinPath(key);
  }
}
