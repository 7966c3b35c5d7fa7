package io.rockpool.jcache.internal.config;

import io.rockpool.cache.CacheOption;
import io.rockpool.cache.CacheSettings;
import io.rockpool.cache.OptionValues;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.cache.CacheException;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.ExpiryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * A cache's configuration as text beside it, so that it is there again when the cache is. What is
 * code (factories of the application's own) is not kept; its kind is, so that a later start can say
 * what is missing.
 */
public final class StoredConfiguration {
  private static final String FORMAT = "jcache";
  private static final String FORMAT_1 = "1";

  /** In front of the key of an option. */
  private static final String PREFIX = "jcache.";

  private static final String KEY_CLASS = "jcache.key-class";
  private static final String VALUE_CLASS = "jcache.value-class";
  private static final String EXPIRY = "jcache.expiry";
  private static final String STATISTICS = "jcache.statistics";
  private static final String MANAGEMENT = "jcache.management";
  private static final String READ_THROUGH = "jcache.read-through";
  private static final String WRITE_THROUGH = "jcache.write-through";
  private static final String STORE_BY_VALUE = "jcache.store-by-value";
  private static final String CODE = "jcache.code";

  /** What the store says where an expiry is code. */
  private static final String OWN_EXPIRY = "a policy of the application's own";

  private StoredConfiguration() {}

  /** A configuration with its expiry policy, as text. */
  public static Map<String, String> toText(
      CompleteConfiguration<?, ?> configuration, OptionValues options, ExpiryPolicy policy) {
    Map<String, String> text = new TreeMap<>();
    text.put(FORMAT, FORMAT_1);
    text.put(KEY_CLASS, configuration.getKeyType().getName());
    text.put(VALUE_CLASS, configuration.getValueType().getName());
    text.put(STATISTICS, String.valueOf(configuration.isStatisticsEnabled()));
    text.put(MANAGEMENT, String.valueOf(configuration.isManagementEnabled()));
    text.put(READ_THROUGH, String.valueOf(configuration.isReadThrough()));
    text.put(WRITE_THROUGH, String.valueOf(configuration.isWriteThrough()));
    text.put(STORE_BY_VALUE, String.valueOf(configuration.isStoreByValue()));
    CacheSettings.OPTIONS.forEach(option -> put(text, option, options));
    String expiry = ExpiryText.of(policy);
    if (expiry != null && options.get(CodeOptions.ENTRY_TTL) == null) {
      text.put(EXPIRY, expiry);
    }
    List<String> code = code(configuration, options, policy);
    if (!code.isEmpty()) {
      text.put(CODE, String.join(", ", code));
    }
    return text;
  }

  private static <T> void put(
      Map<String, String> text, CacheOption<T> option, OptionValues options) {
    T value = options.get(option);
    if (value != null) {
      text.put(PREFIX + option.key(), option.format(value));
    }
  }

  /** What of a configuration cannot be kept, in words. */
  private static List<String> code(
      CompleteConfiguration<?, ?> configuration, OptionValues options, ExpiryPolicy policy) {
    List<String> code = new ArrayList<>();
    if (ExpiryText.of(policy) == null) {
      code.add("an expiry policy of class " + policy.getClass().getName());
    }
    if (options.get(CodeOptions.ENTRY_TTL) != null) {
      code.add("a function of entries' TTL");
    }
    if (options.get(CodeOptions.TAGS) != null) {
      code.add("a function of entries' tags");
    }
    if (options.get(CodeOptions.KEY_CODEC) != null) {
      code.add("a codec of keys");
    }
    if (options.get(CodeOptions.VALUE_CODEC) != null) {
      code.add("a codec of values");
    }
    if (configuration.getCacheLoaderFactory() != null) {
      code.add("a cache loader");
    }
    if (configuration.getCacheWriterFactory() != null) {
      code.add("a cache writer");
    }
    if (configuration.getCacheEntryListenerConfigurations().iterator().hasNext()) {
      code.add("listeners");
    }
    return code;
  }

  /** A text with statistics on or off. Another process may have switched management. */
  public static Map<String, String> withStatistics(Map<String, String> text, boolean on) {
    return with(text, STATISTICS, on);
  }

  /** A text with management on or off. Another process may have switched statistics. */
  public static Map<String, String> withManagement(Map<String, String> text, boolean on) {
    return with(text, MANAGEMENT, on);
  }

  private static Map<String, String> with(Map<String, String> text, String key, boolean on) {
    Map<String, String> switched = new TreeMap<>(text);
    switched.put(key, String.valueOf(on));
    return switched;
  }

  /** Whether statistics were on when they were last switched. */
  public static boolean hasStatistics(Map<String, String> text) {
    return Boolean.parseBoolean(text.get(STATISTICS));
  }

  /** Whether management was on when it was last switched. */
  public static boolean hasManagement(Map<String, String> text) {
    return Boolean.parseBoolean(text.get(MANAGEMENT));
  }

  /** By what entries expire, for people to read. */
  public static String expiry(Map<String, String> text) {
    return text.getOrDefault(EXPIRY, OWN_EXPIRY);
  }

  /** Whether the text beside a cache is that of a configuration. */
  public static boolean isIn(Map<String, String> text) {
    return text.containsKey(FORMAT);
  }

  /**
   * The configuration of a text.
   *
   * @throws CacheException if it needs code, or classes that the loader does not have
   */
  public static ReadConfiguration fromText(
      String name, Map<String, String> text, ClassLoader loader) {
    if (!FORMAT_1.equals(text.get(FORMAT))) {
      throw new CacheException(
          "The configuration of cache \""
              + name
              + "\" was written by a newer Rockpool (format "
              + text.get(FORMAT)
              + "); use that one, or call createCache with the configuration.");
    }
    String code = text.get(CODE);
    if (code != null) {
      throw new CacheException(
          "Cache \""
              + name
              + "\" is there, but was configured with "
              + code
              + ", which is code and cannot be stored. Call createCache with the configuration"
              + " again; its entries stay.");
    }
    try {
      MutableConfiguration<Object, Object> configuration = new MutableConfiguration<>();
      configuration.setTypes(type(text, KEY_CLASS, loader), type(text, VALUE_CLASS, loader));
      configuration.setExpiryPolicyFactory(ExpiryText.factory(text.getOrDefault(EXPIRY, "")));
      configuration.setStatisticsEnabled(hasStatistics(text));
      configuration.setManagementEnabled(hasManagement(text));
      configuration.setReadThrough(Boolean.parseBoolean(text.get(READ_THROUGH)));
      configuration.setWriteThrough(Boolean.parseBoolean(text.get(WRITE_THROUGH)));
      configuration.setStoreByValue(Boolean.parseBoolean(text.get(STORE_BY_VALUE)));
      return new ReadConfiguration(configuration, options(text));
    } catch (ClassNotFoundException | LinkageError e) {
      throw new CacheException(
          "The types of cache \""
              + name
              + "\" are not known to the manager's class loader ("
              + e.getMessage()
              + "); open the manager with the loader of the application.",
          e);
    } catch (IllegalArgumentException | DateTimeParseException e) {
      throw new CacheException(
          "The configuration of cache \""
              + name
              + "\" cannot be read: "
              + e.getMessage()
              + " Call createCache with the configuration again; its entries stay.",
          e);
    }
  }

  private static OptionValues options(Map<String, String> text) {
    OptionValues options = OptionValues.NONE;
    for (CacheOption<?> option : CacheSettings.OPTIONS) {
      options = with(options, option, text.get(PREFIX + option.key()));
    }
    return options;
  }

  private static <T> OptionValues with(
      OptionValues options, CacheOption<T> option, @Nullable String text) {
    return text == null ? options : options.with(option, option.parse(text));
  }

  @SuppressWarnings("unchecked") // whatever the class, its instances are objects
  private static Class<Object> type(Map<String, String> text, String attribute, ClassLoader loader)
      throws ClassNotFoundException {
    return (Class<Object>) Class.forName(text.getOrDefault(attribute, ""), false, loader);
  }
}
