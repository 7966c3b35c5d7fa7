package io.rockpool.codec;

import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Optional;
import org.apache.fory.config.Config;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.serializer.Serializer;
import org.jspecify.annotations.Nullable;

/** The {@code object}s of Kotlin, which compare by identity: a class has one instance. */
final class Singletons {
  private static final ClassValue<Optional<Object>> INSTANCES =
      new ClassValue<>() {
        @Override
        protected Optional<Object> computeValue(Class<?> type) {
          return isOfKotlin(type) ? instance(type) : Optional.empty();
        }
      };

  private Singletons() {}

  /** Returns the only instance of a class; null if the class may have others. */
  static @Nullable Object of(Class<?> type) {
    return INSTANCES.get(type).orElse(null);
  }

  private static boolean isOfKotlin(Class<?> type) {
    for (Annotation annotation : type.getDeclaredAnnotations()) {
      if (annotation.annotationType().getName().equals("kotlin.Metadata")) {
        return true;
      }
    }
    return false;
  }

  private static Optional<Object> instance(Class<?> type) {
    try {
      Field field = type.getDeclaredField("INSTANCE");
      boolean isOnly =
          field.getType() == type
              && Modifier.isStatic(field.getModifiers())
              && Modifier.isFinal(field.getModifiers())
              && field.trySetAccessible();
      return isOnly ? Optional.ofNullable(field.get(null)) : Optional.empty();
    } catch (NoSuchFieldException | IllegalAccessException e) {
      return Optional.empty();
    }
  }

  /** Writes nothing, and reads the instance of this process. */
  static final class OfClass extends Serializer<Object> {
    private final Object instance;

    @SuppressWarnings("unchecked")
    OfClass(Config config, Object instance) {
      super(config, (Class<Object>) instance.getClass());
      this.instance = instance;
    }

    @Override
    public void write(WriteContext context, Object value) {}

    @Override
    public Object read(ReadContext context) {
      return instance;
    }
  }
}
