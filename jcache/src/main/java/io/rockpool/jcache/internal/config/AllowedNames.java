package io.rockpool.jcache.internal.config;

import io.rockpool.codec.Codecs;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import javax.cache.CacheException;

/**
 * The classes and packages that an application allows to be stored, as the property {@link
 * #PROPERTY} lists them.
 */
public final class AllowedNames {
  public static final String PROPERTY = "rockpool.allow";

  /** Whether only these are stored, and no other classes learned: {@code true} or not. */
  public static final String STRICT = "rockpool.strict";

  private final Set<String> names = new LinkedHashSet<>();
  private final boolean strict;

  /**
   * What a manager's properties allow, what the system's do, and what its file does.
   *
   * @throws CacheException if one of them has a value for {@link #STRICT} that is no boolean
   */
  public AllowedNames(Properties properties, ConfigurationFile file) {
    names.addAll(file.allow());
    add(properties.getProperty(PROPERTY, ""));
    add(System.getProperty(PROPERTY, ""));
    this.strict =
        file.isStrict()
            || isTrue(properties.getProperty(STRICT, ""))
            || isTrue(System.getProperty(STRICT, ""));
  }

  private static boolean isTrue(String text) {
    String word = text.strip().toLowerCase(Locale.ROOT);
    if (!Set.of("", "true", "false").contains(word)) {
      throw new CacheException(STRICT + " is \"" + text + "\". Give true or false.");
    }
    return word.equals("true");
  }

  private void add(String list) {
    Arrays.stream(list.split(","))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .forEach(names::add);
  }

  /**
   * Codecs that allow the same. A name is a class if the loader has one of that name, and a package
   * otherwise.
   */
  public Codecs codecs(ClassLoader loader) {
    Codecs.Builder builder = Codecs.builder().classLoader(loader);
    if (strict) {
      builder.strict();
    }
    for (String name : names) {
      try {
        builder.allow(Class.forName(name, false, loader));
      } catch (ClassNotFoundException e) {
        builder.allowPackage(name);
      }
    }
    return builder.build();
  }
}
