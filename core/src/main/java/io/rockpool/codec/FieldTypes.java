package io.rockpool.codec;

import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.fory.builder.JITContext;
import org.apache.fory.reflect.FieldAccessor;
import org.apache.fory.resolver.ClassResolver;
import org.apache.fory.resolver.DisallowedList;
import org.apache.fory.resolver.TypeInfo;
import org.apache.fory.serializer.Serializer;

/**
 * Lets Fory generate code for classes with fields whose types it must not take for granted. Fory
 * shares the code between its instances, and casts the serializer of a field to the class that it
 * met first. But Rockpool's serializers of throwables are not Fory's, and a class of the JDK that
 * one codec allows is refused by another, also where the field is null. Fory does not cast for a
 * class whose code is still to be generated, by another thread. So these types are noted as such,
 * before the code of a class that names them is generated.
 */
final class FieldTypes {
  /** Fory's classes whose code another thread generates, each with the listeners to that. */
  private static final FieldAccessor PENDING = pending();

  private static FieldAccessor pending() {
    try {
      return FieldAccessor.createAccessor(JITContext.class.getDeclaredField("hasJITResult"));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private final ClassResolver resolver;
  private final Predicate<Class<?>> refused;
  private final Function<Class<?>, Serializer<?>> refusals;
  private final Set<Type> seen = new HashSet<>();

  /**
   * @param refused whether a class is refused, if this is known before Fory asks
   * @param refusals returns the serializer of a class that is refused
   */
  FieldTypes(
      ClassResolver resolver,
      Predicate<Class<?>> refused,
      Function<Class<?>, Serializer<?>> refusals) {
    this.resolver = resolver;
    this.refused = refused;
    this.refusals = refusals;
  }

  /** Notes the types that a class names in its fields, parents and their arguments. */
  void note(Class<?> type) {
    for (Class<?> c = type; c != null && !c.getName().startsWith("java."); c = c.getSuperclass()) {
      for (Field field : c.getDeclaredFields()) {
        if (ClassProofs.isState(field)) {
          requireWritable(field);
          visit(field.getGenericType());
        }
      }
      visitAll(c.getGenericInterfaces());
      if (c.getSuperclass() != null) {
        visit(c.getGenericSuperclass());
      }
    }
  }

  /** Fory takes the one for a primitive type, and refuses the name of the other in any bytes. */
  private static void requireWritable(Field field) {
    Class<?> type = field.getType();
    boolean isForbidden =
        type.isArray() && DisallowedList.contains(AllowedClasses.element(type).getName());
    if (type == Void.class || isForbidden) {
      Class<?> holder = field.getDeclaringClass();
      throw new RefusedClassException(
          holder,
          "Field "
              + field.getName()
              + " of class "
              + holder.getName()
              + " is declared as "
              + type.getTypeName()
              + ", which cannot be stored, even as null. Declare it as another type, such as Object.");
    }
  }

  /** Notes a type that any class may have named in a field. */
  void noteType(Class<?> type) {
    visit(type);
  }

  private void visitAll(Type[] types) {
    for (Type type : types) {
      visit(type);
    }
  }

  private void visit(Type type) {
    if (!seen.add(type)) {
      return;
    }
    if (type instanceof ParameterizedType parameterized) {
      visit(parameterized.getRawType());
      visitAll(parameterized.getActualTypeArguments());
    } else if (type instanceof WildcardType wildcard) {
      visitAll(wildcard.getUpperBounds());
    } else if (type instanceof TypeVariable<?> variable) {
      visitAll(variable.getBounds());
    } else if (type instanceof GenericArrayType array) {
      noteClass(GenericTypes.rawClass(type));
      visit(array.getGenericComponentType());
    } else {
      noteClass((Class<?>) type);
    }
  }

  private void noteClass(Class<?> type) {
    if (mustNotBeCast(type)) {
      pending(resolver.getJITContext()).putIfAbsent(type, new ArrayList<>());
    }
    boolean isForbidden = DisallowedList.contains(AllowedClasses.element(type).getName());
    if (isForbidden || (isConcrete(type) && refused.test(type))) {
      refuse(type);
    }
    if (type.isArray()) {
      visit(type.getComponentType());
    }
  }

  private static boolean isConcrete(Class<?> type) {
    return type.isArray() || !Modifier.isAbstract(type.getModifiers());
  }

  /** Otherwise Fory throws, also where the field is null. */
  private void refuse(Class<?> type) {
    resolver.getTypeIdForTypeDef(type); // As it is for codecs that allow the type.
    TypeInfo info = resolver.getTypeInfo(type, false);
    if (info.getSerializer() == null) {
      info.setSerializer(refusals.apply(type));
    }
  }

  /**
   * Returns whether codecs may have different serializers of a type, or other ones than Fory. Its
   * generator takes those of throwables, and of the elements of stack traces, for granted. Of
   * collections and maps it needs to know that they are. Fory cannot wait for the code of a final
   * class where it reads the fields of a class that extends a collection.
   */
  private static boolean mustNotBeCast(Class<?> type) {
    return Throwable.class.isAssignableFrom(type)
        || type == StackTraceElement.class
        || (isRefusedByNature(type)
            && !Modifier.isFinal(type.getModifiers())
            && !Refusals.isContainer(type));
  }

  private static boolean isRefusedByNature(Class<?> type) {
    return !type.isPrimitive() && Refusals.isJdk(type) && !JdkTypes.isAllowed(type);
  }

  @SuppressWarnings("unchecked")
  private static Map<Object, List<Object>> pending(JITContext context) {
    return (Map<Object, List<Object>>) PENDING.get(context);
  }
}
