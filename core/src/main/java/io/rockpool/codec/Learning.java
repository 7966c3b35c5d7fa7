package io.rockpool.codec;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one Fory meets of classes: those that are not allowed, and those of other class loaders. */
final class Learning {
  private final AllowedClasses allowed;
  private final Set<Class<?>> met = new LinkedHashSet<>();
  private boolean writing;
  private boolean switched;
  private @Nullable ClassLoader context;

  Learning(AllowedClasses allowed) {
    this.allowed = allowed;
  }

  /** Returns whether a class is written although it is not allowed yet. */
  boolean meet(Class<?> type) {
    boolean learns = writing && allowed.mayLearn(type);
    if (learns) {
      met.add(type);
    }
    return learns;
  }

  void begin() {
    writing = true;
  }

  void end() {
    writing = false;
    if (switched) {
      switched = false;
      Thread.currentThread().setContextClassLoader(context);
    }
  }

  /**
   * Has the thread find a class by its name, until {@link #end}. Fory's generated code looks there
   * for types that are not public, when it is used first.
   */
  void findByThread(Class<?> type) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    if (type.getClassLoader() == null || finds(before, type)) {
      return;
    }
    if (!switched) {
      switched = true;
      context = before;
    }
    thread.setContextClassLoader(type.getClassLoader());
  }

  private static boolean finds(@Nullable ClassLoader loader, Class<?> type) {
    try {
      return loader == type.getClassLoader()
          || Class.forName(type.getName(), false, loader) == type;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /** Has what was met be allowed; called before its bytes are given to anyone. */
  void learn() {
    if (!met.isEmpty()) {
      met.forEach(allowed::learn);
      met.clear();
    }
  }
}
