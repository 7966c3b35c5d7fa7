package io.rockpool.codec;

import java.util.Set;

/**
 * The classes, by binary name, that an application allows to be encoded and decoded beyond what a
 * declared type reaches. It keeps names only, so that it keeps no class loader alive.
 */
record AllowList(Set<String> classes, Set<String> packages) {
  static final AllowList EMPTY = new AllowList(Set.of(), Set.of());

  AllowList {
    classes = Set.copyOf(classes);
    packages = Set.copyOf(packages);
  }

  /** Returns whether a class is allowed by its own name, not by its package. */
  boolean names(String className) {
    return classes.contains(className);
  }

  boolean allows(String className) {
    return classes.contains(className) || isInAllowedPackage(className);
  }

  private boolean isInAllowedPackage(String className) {
    if (packages.isEmpty()) {
      return false;
    }
    for (int dot = className.lastIndexOf('.'); dot > 0; dot = className.lastIndexOf('.', dot - 1)) {
      if (packages.contains(className.substring(0, dot))) {
        return true;
      }
    }
    return false;
  }
}
