package io.rockpool.codec;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.fory.Fory;
import org.jspecify.annotations.Nullable;

/**
 * The classes that one Fory instance meets: it notes those that a write makes allowed, and lets the
 * thread find those of other class loaders.
 */
final class Learning {
  private final AllowedClasses allowed;
  private final Set<Class<?>> met = new LinkedHashSet<>();

  /** The classes that writes have made allowed. Fory asks only once for the serializer of each. */
  private final Set<Class<?>> learned = Collections.newSetFromMap(new IdentityHashMap<>());

  /** The sets and maps of the value that is being read. */
  final ContainerSizes sizes = new ContainerSizes();

  private boolean writing;
  private boolean switched;
  private @Nullable ClassLoader context;

  Learning(AllowedClasses allowed) {
    this.allowed = allowed;
  }

  /** Returns whether this write makes a class allowed. */
  boolean meet(Class<?> type) {
    boolean learns = writing && allowed.mayLearn(type);
    if (learns) {
      met.add(type);
    }
    return learns;
  }

  /** Notes a class of the written value, which a server may have lost since it was learned. */
  void meetAgain(Class<?> type) {
    if (learned.contains(type) && allowed.isForgotten(type)) {
      met.add(type);
    }
  }

  /** Whether a value is being written. */
  boolean isWriting() {
    return writing;
  }

  void begin() {
    writing = true;
  }

  void end() {
    writing = false;
    if (switched) {
      switched = false;
      Thread.currentThread().setContextClassLoader(context);
      context = null;
    }
  }

  /**
   * Lets the thread find a class and arrays of it by name, until {@link #end}. Fory's generated
   * code asks its own class loader, and then the thread's, for types that are not public.
   */
  void findByThread(Class<?> type) {
    if (type.getClassLoader() == null || finds(Fory.class.getClassLoader(), type)) {
      return;
    }
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    boolean found = finds(before, type);
    if (found && before instanceof ArrayFinder) {
      return;
    }
    if (!switched) {
      switched = true;
      context = before;
    }
    thread.setContextClassLoader(new ArrayFinder(found ? before : type.getClassLoader()));
  }

  /** Finds arrays as well: {@link ClassLoader#loadClass} does not know their names. */
  private static final class ArrayFinder extends ClassLoader {
    ArrayFinder(@Nullable ClassLoader parent) {
      super(parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      return name.startsWith("[")
          ? Class.forName(name, false, getParent())
          : super.loadClass(name, resolve);
    }
  }

  private static boolean finds(@Nullable ClassLoader loader, Class<?> type) {
    try {
      return loader == type.getClassLoader()
          || Class.forName(type.getName(), false, loader) == type;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /** Allows the classes that were met. Callers do this before they return the bytes. */
  void learn() {
    if (!met.isEmpty()) {
      met.forEach(allowed::learn);
      learned.addAll(met);
      met.clear();
    }
  }
}
