package io.rockpool.cache;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.logging.LoggerNames;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads and writes the options that describe a cache's data. They are stored as text in the
 * attributes of its name, together with the attributes that users set.
 */
final class KeptOptions {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.CACHE);
  private static final String PREFIX = "rockpool.";
  private static final String EXPIRY = PREFIX + CacheOptions.EXPIRY.key();

  /** The text that is stored instead of an expiry policy that is a function. */
  private static final String CODE = "code";

  private static final List<CacheOption<?>> OPTIONS =
      List.of(
          CacheSettings.DISK_BUDGET,
          CacheSettings.MAXIMUM_SIZE,
          CacheSettings.SOFT_TTL,
          CacheSettings.REFRESH_AHEAD_FACTOR,
          CacheSettings.JITTER,
          CacheSettings.VERSION);

  private static final String VERSION = PREFIX + CacheSettings.VERSION.key();

  private KeptOptions() {}

  /** Returns whether a name with these attributes holds entries of another version. */
  static boolean isOtherVersion(OptionValues values, Map<String, String> kept) {
    String version = values.get(CacheSettings.VERSION);
    return version != null && !version.equals(kept.get(VERSION));
  }

  /** Returns attributes with the version of {@code kept}, which the entries still have. */
  static Map<String, String> withVersionOf(
      Map<String, String> attributes, Map<String, String> kept) {
    Map<String, String> same = new TreeMap<>(attributes);
    same.remove(VERSION);
    String version = kept.get(VERSION);
    if (version != null) {
      same.put(VERSION, version);
    }
    return same;
  }

  /** Returns attributes with the version of these options, and logs it. */
  static Map<String, String> withVersion(
      Map<String, String> attributes, String name, String version) {
    Map<String, String> changed = new TreeMap<>(attributes);
    String before = changed.put(VERSION, version);
    LOG.info(
        "The cache \"{}\" was cleared: its entries are of {}, and it was opened with version"
            + " \"{}\".",
        name,
        before == null ? "no version" : "version \"" + before + "\"",
        version);
    return changed;
  }

  /** The attributes of a name that is opened with these options and had {@code kept} before. */
  static Map<String, String> attributes(CacheOptions<?, ?> options, Map<String, String> kept) {
    Map<String, String> attributes =
        new TreeMap<>(options.attributes().isEmpty() ? others(kept) : options.attributes());
    attributes.putAll(toText(options.values(), kept));
    return attributes;
  }

  /** Whether the name's expiry policy was a function, and these options set no policy. */
  static boolean isMissingCode(OptionValues values, Map<String, String> kept) {
    return values.get(CacheOptions.EXPIRY) == null && CODE.equals(kept.get(EXPIRY));
  }

  /** Whether the name had no expiry policy, as far as is known, and these options set one. */
  static boolean isFirstExpiry(OptionValues values, Map<String, String> kept) {
    Object expiry = values.get(CacheOptions.EXPIRY);
    return expiry != null && !CacheExpiry.never().equals(expiry) && !kept.containsKey(EXPIRY);
  }

  /** Returns the attributes that users set. */
  static Map<String, String> others(Map<String, String> attributes) {
    Map<String, String> others = new TreeMap<>(attributes);
    others.keySet().removeIf(key -> key.startsWith(PREFIX));
    return others;
  }

  /** Returns the attributes that are kept options. */
  static Map<String, String> of(Map<String, String> attributes) {
    Map<String, String> kept = new TreeMap<>(attributes);
    kept.keySet().removeIf(key -> !key.startsWith(PREFIX));
    return kept;
  }

  /**
   * Returns the attributes that store these options.
   *
   * @param kept the attributes that are stored now
   */
  static Map<String, String> toText(OptionValues values, Map<String, String> kept) {
    Map<String, String> text = new TreeMap<>();
    if (isMissingCode(values, kept)) {
      text.put(EXPIRY, CODE);
    }
    OPTIONS.forEach(option -> put(text, option, values));
    Object expiry = values.get(CacheOptions.EXPIRY);
    if (expiry != null && !CacheExpiry.never().equals(expiry)) {
      text.put(EXPIRY, toText(expiry));
    }
    return text;
  }

  private static <T> void put(
      Map<String, String> text, CacheOption<T> option, OptionValues values) {
    T value = values.get(option);
    if (value != null) {
      text.put(PREFIX + option.key(), option.format(value));
    }
  }

  private static String toText(Object expiry) {
    if (expiry instanceof JitteredExpiry<?, ?> jittered) {
      String text = toText(jittered.expiry());
      return text.equals(CODE) || text.contains("jitter")
          ? CODE
          : text + " jitter=" + jittered.fraction();
    }
    if (!(expiry instanceof FixedExpiry<?, ?> fixed)) {
      return CODE;
    }
    StringJoiner text = new StringJoiner(" ");
    add(text, "creation", fixed.creation());
    add(text, "update", fixed.update());
    add(text, "access", fixed.access());
    add(text, "limit", fixed.limit());
    return text.toString();
  }

  private static void add(StringJoiner text, String name, @Nullable Duration duration) {
    if (duration != null) {
      text.add(name + "=" + duration);
    }
  }

  /**
   * Returns the options that are stored in the attributes of a name.
   *
   * @throws CorruptStoreException if they cannot be read
   */
  static OptionValues fromText(Map<String, String> attributes) {
    try {
      OptionValues values = OptionValues.NONE;
      for (CacheOption<?> option : OPTIONS) {
        values = with(values, option, attributes.get(PREFIX + option.key()));
      }
      String expiry = attributes.get(EXPIRY);
      return expiry == null || expiry.equals(CODE)
          ? values
          : values.with(CacheOptions.EXPIRY, expiry(expiry));
    } catch (RuntimeException e) {
      throw new CorruptStoreException(
          "a descriptor keeps the options " + attributes + ", which cannot be read", e);
    }
  }

  private static <T> OptionValues with(
      OptionValues values, CacheOption<T> option, @Nullable String text) {
    return text == null ? values : values.with(option, option.parse(text));
  }

  private static CacheExpiry<Object, Object> expiry(String text) {
    Map<String, String> parts = new TreeMap<>();
    for (String part : text.split(" ", -1)) {
      int equals = part.indexOf('=');
      parts.put(part.substring(0, equals), part.substring(equals + 1));
    }
    String jitter = parts.remove("jitter");
    CacheExpiry<Object, Object> fixed =
        new FixedExpiry<>(
            Duration.parse(parts.remove("creation")),
            duration(parts.remove("update")),
            duration(parts.remove("access")),
            duration(parts.remove("limit")));
    if (!parts.isEmpty()) {
      throw new IllegalArgumentException("Unknown parts of an expiry: " + parts);
    }
    return jitter == null ? fixed : fixed.withJitter(Double.parseDouble(jitter));
  }

  private static @Nullable Duration duration(@Nullable String text) {
    return text == null ? null : Duration.parse(text);
  }
}
