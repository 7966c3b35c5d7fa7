package io.rockpool.jcache;

import io.rockpool.codec.Codecs;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Properties;
import java.util.Set;

/**
 * The classes and packages that an application allows to be stored, as the property {@link
 * #PROPERTY} lists them.
 */
final class AllowedNames {
  static final String PROPERTY = "rockpool.allow";

  /** Whether only these are stored, and no other classes learned: {@code true} or not. */
  static final String STRICT = "rockpool.strict";

  private final Set<String> names = new LinkedHashSet<>();
  private final boolean strict;

  /** What a manager's properties allow, what the system's do, and what its file does. */
  AllowedNames(Properties properties, ConfigurationFile file) {
    names.addAll(file.allow());
    add(properties.getProperty(PROPERTY, ""));
    add(System.getProperty(PROPERTY, ""));
    this.strict =
        file.isStrict()
            || Boolean.parseBoolean(properties.getProperty(STRICT))
            || Boolean.getBoolean(STRICT);
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
  Codecs codecs(ClassLoader loader) {
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
