package io.rockpool.codec;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Objects;

/**
 * A type, generics included: {@code TypeRef.of(Order.class)}, or {@code new TypeRef<List<Order>>()
 * {}} for one with type arguments. Two are equal if their types are.
 *
 * @param <T> the type
 */
public abstract class TypeRef<T> {
  private final Type type;

  /**
   * Captures the type argument of the subclass being created.
   *
   * @throws IllegalArgumentException if there is none, or if it has a type variable in it
   */
  protected TypeRef() {
    if (!(getClass().getGenericSuperclass() instanceof ParameterizedType token)) {
      throw new IllegalArgumentException(
          "A TypeRef needs its type argument: write new TypeRef<List<Order>>() {}.");
    }
    this.type = TypeNames.requireResolved(token.getActualTypeArguments()[0]);
  }

  private TypeRef(Type type) {
    this.type = type;
  }

  /**
   * Returns the type of a class; that of a primitive is its box.
   *
   * @param <T> the type
   * @param type its class
   * @return the type
   */
  public static <T> TypeRef<T> of(Class<T> type) {
    return new Known<>(GenericTypes.boxed(Objects.requireNonNull(type, "type")));
  }

  /**
   * Returns the type of a name as {@link #toString} gives it, for tools that read descriptors.
   *
   * @param name such as {@code java.util.List<com.acme.Order>}; without wildcards
   * @param classLoader finds its classes
   * @return the type
   * @throws ClassNotFoundException if there is no such class
   * @throws IllegalArgumentException if it is no name of a type
   */
  public static TypeRef<?> named(String name, ClassLoader classLoader)
      throws ClassNotFoundException {
    return ofType(TypeNames.parse(name, classLoader));
  }

  /** Returns a type found by reflection, for the library's own walks over fields and components. */
  static TypeRef<?> ofType(Type type) {
    return new Known<>(type instanceof Class<?> c ? GenericTypes.boxed(c) : type);
  }

  /** {@return the type with its arguments} */
  public final Type type() {
    return type;
  }

  /** {@return the class of the type, without its arguments} */
  @SuppressWarnings("unchecked")
  public final Class<? super T> rawType() {
    return (Class<? super T>) GenericTypes.rawClass(type);
  }

  /**
   * Returns the canonical name of the type as descriptors store it, such as {@code
   * java.util.List<com.acme.Order>}; binary names, and independent of class loaders.
   */
  @Override
  public final String toString() {
    return TypeNames.of(type);
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof TypeRef<?> that && type.equals(that.type);
  }

  @Override
  public final int hashCode() {
    return type.hashCode();
  }

  private static final class Known<T> extends TypeRef<T> {
    Known(Type type) {
      super(type);
    }
  }
}
