package io.rockpool.cache;

import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A cache as a map, see {@link PersistentCache#asMap}. */
final class CacheMap<K, V> extends AbstractMap<K, V> implements ConcurrentMap<K, V> {
  private final PersistentCache<K, V> cache;

  CacheMap(PersistentCache<K, V> cache) {
    this.cache = cache;
  }

  @SuppressWarnings("unchecked") // a key of another type is refused by the codec, as Map allows
  private K key(@Nullable Object object) {
    return (K) Objects.requireNonNull(object);
  }

  @SuppressWarnings("unchecked") // a value of another type equals none
  private V value(@Nullable Object object) {
    return (V) Objects.requireNonNull(object);
  }

  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, cache.keys().count());
  }

  @Override
  public boolean isEmpty() {
    return !cache.iterator().hasNext();
  }

  @Override
  public @Nullable V get(@Nullable Object key) {
    return cache.get(key(key));
  }

  @Override
  public V getOrDefault(@Nullable Object key, V defaultValue) {
    V value = get(key);
    return value == null ? defaultValue : value;
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return cache.containsKey(key(key));
  }

  @Override
  public @Nullable V put(K key, V value) {
    return cache.getAndPut(key, value);
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> map) {
    cache.putAll(map);
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    return cache.putIfAbsent(key, value);
  }

  @Override
  public @Nullable V remove(@Nullable Object key) {
    return cache.getAndRemove(key(key));
  }

  @Override
  public boolean remove(@Nullable Object key, @Nullable Object value) {
    return value != null && cache.remove(key(key), value(value));
  }

  @Override
  public @Nullable V replace(K key, V value) {
    return cache.replace(key, value);
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    return cache.replace(key, oldValue, newValue);
  }

  @Override
  public @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> function) {
    return cache.computeIfAbsent(key, function);
  }

  @Override
  public @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> function) {
    return cache.computeIfPresent(key, function);
  }

  @Override
  public @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
    return cache.compute(key, function);
  }

  @Override
  public @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> function) {
    return cache.merge(key, value, function);
  }

  /** Replaces each value by {@code computeIfPresent}: the default would repeat without end. */
  @Override
  public void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
    Objects.requireNonNull(function, "function");
    for (Map.Entry<K, V> entry : cache) {
      cache.computeIfPresent(
          entry.getKey(),
          (key, value) ->
              Objects.requireNonNull(function.apply(key, value), "The new value is null."));
    }
  }

  @Override
  public void clear() {
    cache.clear();
  }

  @Override
  public boolean containsValue(@Nullable Object value) {
    return values().contains(value);
  }

  /** The values. Arrays are equal if their elements are, as in {@link #replace}. */
  @Override
  public Collection<V> values() {
    return new AbstractCollection<>() {
      @Override
      public Iterator<V> iterator() {
        return walk(Map.Entry::getValue);
      }

      @Override
      public int size() {
        return CacheMap.this.size();
      }

      @Override
      public boolean isEmpty() {
        return CacheMap.this.isEmpty();
      }

      @Override
      public boolean contains(@Nullable Object value) {
        return stream().anyMatch(it -> Objects.deepEquals(it, value));
      }

      @Override
      public boolean remove(@Nullable Object value) {
        return cache.removeIf(entry -> Objects.deepEquals(entry.getValue(), value), true);
      }

      @Override
      public boolean removeIf(Predicate<? super V> filter) {
        Objects.requireNonNull(filter, "filter");
        return cache.removeIf(entry -> filter.test(entry.getValue()), false);
      }

      @Override
      public boolean removeAll(Collection<?> values) {
        Objects.requireNonNull(values, "values");
        return removeIf(value -> isIn(values, value));
      }

      @Override
      public boolean retainAll(Collection<?> values) {
        Objects.requireNonNull(values, "values");
        return removeIf(value -> !isIn(values, value));
      }

      @Override
      public void clear() {
        cache.clear();
      }
    };
  }

  private <E> Iterator<E> walk(Function<Map.Entry<K, V>, E> element) {
    Iterator<Map.Entry<K, V>> entries = cache.iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return entries.hasNext();
      }

      @Override
      public E next() {
        return element.apply(entries.next());
      }

      @Override
      public void remove() {
        entries.remove();
      }
    };
  }

  /** Whether a collection contains a key, value or entry, which may have arrays. */
  private static boolean isIn(Collection<?> some, Object object) {
    return some.contains(object)
        || (hasArray(object) && some.stream().anyMatch(it -> isSame(object, it)));
  }

  private static boolean hasArray(Object object) {
    return object instanceof Map.Entry<?, ?> entry
        ? hasArray(entry.getKey()) || hasArray(entry.getValue())
        : object.getClass().isArray();
  }

  private static boolean isSame(Object object, @Nullable Object other) {
    return (object instanceof Map.Entry<?, ?> entry && other instanceof Map.Entry<?, ?> it)
        ? Objects.deepEquals(entry.getKey(), it.getKey())
            && Objects.deepEquals(entry.getValue(), it.getValue())
        : Objects.deepEquals(object, other);
  }

  @Override
  public Set<K> keySet() {
    return new View<>() {
      @Override
      public Iterator<K> iterator() {
        return walk(Map.Entry::getKey);
      }

      @Override
      public boolean contains(@Nullable Object key) {
        return containsKey(key);
      }

      @Override
      public boolean remove(@Nullable Object key) {
        return cache.remove(key(key));
      }
    };
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return new View<>() {
      @Override
      public Iterator<Map.Entry<K, V>> iterator() {
        return walk(entry -> new WritingEntry<>(cache, entry));
      }

      @Override
      public boolean contains(@Nullable Object object) {
        return object instanceof Map.Entry<?, ?> entry
            && entry.getValue() != null
            && Objects.deepEquals(get(entry.getKey()), entry.getValue());
      }

      @Override
      public boolean remove(@Nullable Object object) {
        return object instanceof Map.Entry<?, ?> entry
            && CacheMap.this.remove(entry.getKey(), entry.getValue());
      }

      @Override
      public boolean removeIf(Predicate<? super Map.Entry<K, V>> filter) {
        return cache.removeIf(filter, false);
      }
    };
  }

  /** A set view of the map. */
  private abstract class View<E> extends AbstractSet<E> {
    @Override
    public int size() {
      return CacheMap.this.size();
    }

    @Override
    public boolean isEmpty() {
      return CacheMap.this.isEmpty();
    }

    /** Removes each by {@link #remove}, to which arrays are equal if their elements are. */
    @Override
    public boolean removeAll(Collection<?> elements) {
      boolean removed = false;
      for (Object element : elements) {
        removed |= element != null && remove(element);
      }
      return removed;
    }

    @Override
    public boolean retainAll(Collection<?> elements) {
      Objects.requireNonNull(elements, "elements");
      return removeIf(element -> !isIn(elements, element));
    }

    @Override
    public void clear() {
      cache.clear();
    }
  }

  /** An entry whose {@code setValue} puts into the cache. */
  private static final class WritingEntry<K, V> extends AbstractMap.SimpleEntry<K, V> {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // an entry of a cache is not serialized
    private final PersistentCache<K, V> cache;

    WritingEntry(PersistentCache<K, V> cache, Map.Entry<K, V> entry) {
      super(entry);
      this.cache = cache;
    }

    @Override
    public V setValue(V value) {
      cache.put(getKey(), value);
      return super.setValue(value);
    }
  }
}
