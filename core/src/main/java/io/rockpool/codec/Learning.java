package io.rockpool.codec;

import java.util.LinkedHashSet;
import java.util.Set;

/** What one Fory meets of classes that are not allowed, while it writes. */
final class Learning {
  private final AllowedClasses allowed;
  private final Set<Class<?>> met = new LinkedHashSet<>();
  private boolean writing;

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
  }

  /** Has what was met be allowed; called before its bytes are given to anyone. */
  void learn() {
    if (!met.isEmpty()) {
      met.forEach(allowed::learn);
      met.clear();
    }
  }
}
