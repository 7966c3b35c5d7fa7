package io.rockpool.internal.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The open objects of each name, of which a name may have several. Changes hold the catalog's lock;
 * reads take no lock. Every method of one name costs the same however many names are open.
 */
public final class OpenByName<T> {
  private final Map<String, List<T>> byName = new ConcurrentHashMap<>();

  /** Starts without open objects. */
  public OpenByName() {}

  /** The open objects of a name, in the order of their opening. */
  public List<T> of(String name) {
    return byName.getOrDefault(name, List.of());
  }

  /** The open objects of all names. */
  public List<T> all() {
    return byName.values().stream().flatMap(List::stream).toList();
  }

  /** The names of the open objects. */
  public Set<String> names() {
    return Set.copyOf(byName.keySet());
  }

  /** Adds an object. */
  public void add(String name, T opened) {
    List<T> objects = new ArrayList<>(of(name));
    objects.add(opened);
    byName.put(name, List.copyOf(objects));
  }

  /** Removes objects of a name; returns them. */
  public List<T> remove(String name, Predicate<T> which) {
    List<T> objects = of(name);
    List<T> left = objects.stream().filter(which.negate()).toList();
    if (left.isEmpty()) {
      byName.remove(name);
    } else {
      byName.put(name, left);
    }
    return objects.stream().filter(which).toList();
  }

  /** Removes and returns the objects of all names. */
  public List<T> removeAll() {
    List<T> all = all();
    byName.clear();
    return all;
  }
}
