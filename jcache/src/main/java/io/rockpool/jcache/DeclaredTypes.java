package io.rockpool.jcache;

/**
 * The types of a cache's keys and values, checked at run time: an application may well hold the
 * cache untyped.
 */
record DeclaredTypes<K, V>(Class<K> keyType, Class<V> valueType) {
  void checkKey(K key) {
    check(keyType, key, "key");
  }

  void checkValue(V value) {
    check(valueType, value, "value");
  }

  private static void check(Class<?> type, Object thing, String what) {
    if (!type.isInstance(thing)) {
      throw new ClassCastException(
          "A "
              + what
              + " of class "
              + thing.getClass().getName()
              + " was given to a cache of "
              + type.getName()
              + ".");
    }
  }
}
