package io.rockpool.codec;

import org.apache.fory.serializer.UnknownClass;
import org.jspecify.annotations.Nullable;

/**
 * The class loader that Fory sees: loads allowed classes and no others. To Fory, any other class
 * does not exist, and what was written of it is skipped where nothing asks for it; that is what a
 * component that a record has lost needs.
 */
final class AllowedClassLoader extends ClassLoader {
  /** Fory asks for an array of these where a field that is gone had an array of an enum. */
  private static final Class<?> UNKNOWN_ENUM = UnknownClass.UnknownEnum.class;

  private final AllowedClasses allowed;
  private volatile @Nullable String refusal;

  AllowedClassLoader(AllowedClasses allowed) {
    super(null);
    this.allowed = allowed;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) {
    if (name.equals(UNKNOWN_ENUM.getName())) {
      return UNKNOWN_ENUM;
    }
    Class<?> type;
    try {
      type = allowed.load(name);
    } catch (ClassNotFoundException e) {
      refusal = "There is no class " + name + " here (any more).";
      throw new RefusedClassException(name, refusal, e);
    }
    if (type == null) {
      refusal = allowed.refusal(name);
      // Not a ClassNotFoundException: on that, Fory asks the thread's own class loader.
      throw new RefusedClassException(name, refusal, null);
    }
    return type;
  }

  /** Returns why a class was last refused, or null if none ever was. */
  @Nullable String lastRefusal() {
    return refusal;
  }
}
