package io.rockpool.codec;

import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.fory.builder.JITContext;
import org.apache.fory.reflect.FieldAccessor;
import org.apache.fory.resolver.TypeResolver;

/**
 * Lets Fory generate code for classes with fields of throwable types. Fory's generator takes it for
 * granted that its own serializer writes each throwable, and casts Rockpool's to that class. It
 * does not for a class whose code is still to be generated, by another thread. So throwable types
 * are noted as such, before the code of a class that names them is generated.
 */
final class ThrowableFields {
  /** Fory's classes whose code another thread generates, each with the listeners to that. */
  private static final FieldAccessor PENDING = pending();

  private static FieldAccessor pending() {
    try {
      return FieldAccessor.createAccessor(JITContext.class.getDeclaredField("hasJITResult"));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private final TypeResolver resolver;
  private final Set<Type> seen = new HashSet<>();

  private ThrowableFields(TypeResolver resolver) {
    this.resolver = resolver;
  }

  /** Notes the throwable types that a class names in its fields, parents and their arguments. */
  static void note(TypeResolver resolver, Class<?> type) {
    ThrowableFields walk = new ThrowableFields(resolver);
    for (Class<?> c = type; c != null && !c.getName().startsWith("java."); c = c.getSuperclass()) {
      for (Field field : c.getDeclaredFields()) {
        if (ClassProofs.isState(field)) {
          walk.visit(field.getGenericType());
        }
      }
      walk.visitAll(c.getGenericInterfaces());
      if (c.getSuperclass() != null) {
        walk.visit(c.getGenericSuperclass());
      }
    }
  }

  /** Notes a type that any class may have named in a field, if it is throwable. */
  static void noteType(TypeResolver resolver, Class<?> type) {
    new ThrowableFields(resolver).visit(type);
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
      visit(array.getGenericComponentType());
    } else {
      noteThrowable(AllowedClasses.element((Class<?>) type));
    }
  }

  /** Also notes the elements of stack traces, which Fory's generator takes for granted as well. */
  private void noteThrowable(Class<?> type) {
    if (Throwable.class.isAssignableFrom(type) || type == StackTraceElement.class) {
      pending(resolver.getJITContext()).putIfAbsent(type, new ArrayList<>());
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<Object, List<Object>> pending(JITContext context) {
    return (Map<Object, List<Object>>) PENDING.get(context);
  }
}
