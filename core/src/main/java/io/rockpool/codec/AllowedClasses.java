package io.rockpool.codec;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The classes that the codec of one declared type may encode and decode: what the type reaches, the
 * JDK's value types, and what the application allows. Loads them, so that a name in stored bytes
 * never loads any other class.
 */
final class AllowedClasses {
  private final String declaredType;
  private final Map<String, Class<?>> reached;
  private final AllowList allowList;
  private final ClassLoader loader;

  AllowedClasses(TypeRef<?> declaredType, AllowList allowList, ClassLoader loader) {
    this.declaredType = declaredType.toString();
    this.reached = ReachableClasses.of(declaredType.type());
    this.allowList = allowList;
    this.loader = loader;
  }

  /** Returns whether instances of a class, or of the element type of an array, are allowed. */
  boolean allows(Class<?> type) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    String name = element.getName();
    return element.isPrimitive()
        || JdkTypes.isAllowed(name)
        || reached.get(name) == element
        || allowList.allows(name)
        || isConstantBody(element);
  }

  /** A constant with a body is an instance of a nameless subclass of its enum. */
  private boolean isConstantBody(Class<?> type) {
    Class<?> parent = type.getSuperclass();
    return parent != null && parent.isEnum() && allows(parent);
  }

  /**
   * Returns the class with a binary name.
   *
   * @return null if it is not allowed
   * @throws ClassNotFoundException if it is allowed and there is none
   */
  @Nullable Class<?> load(String name) throws ClassNotFoundException {
    Class<?> known = reached.get(name);
    if (known != null) {
      return known;
    }
    if (!JdkTypes.isAllowed(name) && !allowList.allows(name)) {
      return null;
    }
    return Class.forName(name, false, loader);
  }

  /** Returns the sentence for a class that is not allowed. */
  String refusal(String className) {
    return "Class "
        + className
        + " is not reached by the declared type "
        + declaredType
        + " and is not on the allow-list. If it is harmless, allow it with"
        + " Codecs.builder().allow(...) or allowPackage(...).";
  }
}
