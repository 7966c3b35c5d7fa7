package io.rockpool.jcache.internal.config;

import javax.cache.CacheException;
import javax.cache.configuration.Factory;

/** A class that a configuration file names. */
record NamedClass(String name, Section section, String key) {
  /**
   * The class.
   *
   * @throws CacheException if the loader does not have it
   */
  Class<?> load(ClassLoader loader) {
    try {
      return Class.forName(name, false, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      throw section.error(
          key,
          "there is no such class where the manager looks for classes, which is in " + loader + ".",
          e);
    }
  }

  /**
   * What makes things of a kind: the class is one itself, or a factory of them.
   *
   * @throws CacheException if it is neither
   */
  <T> Factory<T> factory(ClassLoader loader, Class<T> kind) {
    Class<?> type = load(loader);
    if (!kind.isAssignableFrom(type) && !Factory.class.isAssignableFrom(type)) {
      throw section.error(
          key, "give a class that is a " + kind.getName() + ", or a Factory of them.", null);
    }
    return new Maker<>(type, kind);
  }

  /** Makes things by the constructor that has no parameters; equal if the class is the same. */
  private record Maker<T>(Class<?> type, Class<T> kind) implements Factory<T> {
    @Override
    public T create() {
      Object made;
      try {
        var constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        made = constructor.newInstance();
      } catch (ReflectiveOperationException | RuntimeException e) {
        throw new CacheException(
            "No "
                + type.getName()
                + " can be made, which the configuration file names; it needs a constructor without"
                + " parameters that does not fail.",
            e);
      }
      return kind.cast(kind.isInstance(made) ? made : ((Factory<?>) made).create());
    }
  }
}
