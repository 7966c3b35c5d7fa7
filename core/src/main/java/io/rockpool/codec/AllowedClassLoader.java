package io.rockpool.codec;

/**
 * The class loader that Fory sees: loads allowed classes and no others. To Fory, any other class
 * does not exist, and what was written of it is skipped where nothing asks for it; that is what a
 * component that a record has lost needs.
 */
final class AllowedClassLoader extends ClassLoader {
  private final AllowedClasses allowed;
  private volatile boolean refused;

  AllowedClassLoader(AllowedClasses allowed) {
    super(null);
    this.allowed = allowed;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) {
    Class<?> type;
    try {
      type = allowed.load(name);
    } catch (ClassNotFoundException e) {
      refused = true;
      throw new IllegalStateException("There is no class " + name + ".", e);
    }
    if (type == null) {
      refused = true;
      // Not a ClassNotFoundException: on that, Fory asks the thread's own class loader.
      throw new IllegalStateException(allowed.refusal(name));
    }
    return type;
  }

  boolean hasRefused() {
    return refused;
  }
}
