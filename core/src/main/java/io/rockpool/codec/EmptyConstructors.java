package io.rockpool.codec;

import java.io.Externalizable;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;

/**
 * Refuses classes whose constructor without parameters throws. From JDK 25 on, and without its
 * compiler, Fory creates instances by it; else it does without, and would write what another
 * process cannot read.
 */
final class EmptyConstructors {
  private EmptyConstructors() {}

  /** Throws if another process may be unable to create instances of a class. */
  static void require(Class<?> type) {
    if (!isUsed(type)) {
      return;
    }
    try {
      Constructor<?> constructor = type.getDeclaredConstructor();
      if (constructor.trySetAccessible()) {
        Object unused = constructor.newInstance();
      }
    } catch (InvocationTargetException e) {
      Throwable thrown = Objects.requireNonNull(e.getCause());
      Undecodable.rethrowIfFatal(thrown);
      throw new RefusedClassException(
          type,
          "Class "
              + type.getName()
              + " has a constructor without parameters that throws "
              + thrown.getClass().getName()
              + ". Another JDK creates instances by it when it reads them. Let it not throw, remove"
              + " it, or register a codec for the declared type with"
              + " Codecs.builder().register(...).");
    } catch (ReflectiveOperationException | LinkageError e) {
      // There is none; reading the value shows everything else.
    }
  }

  private static boolean isUsed(Class<?> type) {
    boolean isPlain =
        !type.isArray()
            && !type.isRecord()
            && !type.isEnum()
            && !type.isInterface()
            && !Modifier.isAbstract(type.getModifiers())
            && !Refusals.isJdk(type);
    return isPlain
        && !Collection.class.isAssignableFrom(type)
        && !Map.class.isAssignableFrom(type)
        && !Throwable.class.isAssignableFrom(type)
        && !Externalizable.class.isAssignableFrom(type)
        && !ClassProofs.hasStreamCode(type)
        && Singletons.of(type) == null;
  }
}
