package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How to take a record apart and put it together. */
final class RecordShape {
  private static final ClassValue<RecordShape> SHAPES =
      new ClassValue<>() {
        @Override
        protected RecordShape computeValue(Class<?> type) {
          return new RecordShape(type);
        }
      };

  private final Class<?> type;
  private final List<String> names;
  private final Class<?>[] types;
  private final Method[] accessors;
  private final Constructor<?> constructor;
  private final boolean plain;

  private RecordShape(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    this.type = type;
    this.names = Arrays.stream(components).map(RecordComponent::getName).toList();
    this.accessors =
        Arrays.stream(components).map(RecordComponent::getAccessor).toArray(Method[]::new);
    this.types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      this.constructor = type.getDeclaredConstructor(types);
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException(type + " has no canonical constructor.", e);
    }
    ModuleAccess.open(constructor);
    for (Method accessor : accessors) {
      ModuleAccess.open(accessor);
    }
    this.plain =
        Arrays.stream(types).allMatch(KeyTypes::comesBack) && RecordEquals.isImplicit(type);
  }

  /** Returns the shape of a record class. */
  static RecordShape of(Class<?> type) {
    return SHAPES.get(type);
  }

  /** Returns the names of the components, in their order. */
  List<String> names() {
    return names;
  }

  /**
   * Returns whether the components are all there is to a record: its {@code equals} compares them,
   * and what {@link KeyReader} makes of each is of its type.
   */
  boolean isPlain() {
    return plain;
  }

  @Nullable Object component(int index, Object record) {
    try {
      return accessors[index].invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new UnencodableValueException(
          "Component '" + names.get(index) + "' of " + type.getName() + " could not be read.", e);
    }
  }

  Object create(@Nullable Object[] components) {
    try {
      @Nullable Object[] fitting = new Object[components.length];
      for (int i = 0; i < fitting.length; i++) {
        fitting[i] = KeyTypes.fit(components[i], types[i]);
      }
      return constructor.newInstance(fitting);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof LinkageError error) {
        throw Undecodable.linkage(type.getName(), error);
      }
      Undecodable.rethrowIfFatal(e.getCause());
      throw refused(Objects.requireNonNullElse(e.getCause(), e));
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      throw refused(e);
    }
  }

  /** Without what the cause says: that may show the components. */
  private UndecodableValueException refused(Throwable cause) {
    return new UndecodableValueException(
        "The constructor of "
            + type.getName()
            + " refused the stored components: "
            + cause.getClass().getName(),
        cause);
  }
}
