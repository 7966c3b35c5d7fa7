package io.rockpool.codec;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.memory.MemoryBuffer;
import org.apache.fory.reflect.FieldAccessor;
import org.apache.fory.reflect.ReflectionUtils;
import org.apache.fory.resolver.TypeResolver;
import org.apache.fory.serializer.collection.ChildContainerSerializers;
import org.apache.fory.serializer.collection.MapSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a linked map as Fory does, with a mark in front of its size if it is in access order. Fory
 * ignores the kind of order, and creates each map in insertion order.
 */
@SuppressWarnings({"rawtypes", "NonApiType"}) // as in Fory
final class LinkedMapSerializer extends MapSerializer<LinkedHashMap> {
  /** A size that no map has. */
  private static final int BY_ACCESS = -1;

  private static final int MIN_CAPACITY = 16;
  private static final float LOAD_FACTOR = 0.75f;

  /** No method of the map returns the kind of order. */
  private static final FieldAccessor ACCESS_ORDER = accessOrder();

  private static FieldAccessor accessOrder() {
    try {
      return FieldAccessor.createAccessor(LinkedHashMap.class.getDeclaredField("accessOrder"));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  LinkedMapSerializer(TypeResolver resolver) {
    super(resolver, LinkedHashMap.class, true);
  }

  /** Returns whether a map is in access order. */
  static boolean isByAccess(LinkedHashMap<?, ?> map) {
    return ACCESS_ORDER.getBoolean(map);
  }

  /**
   * Returns the serializer of a subclass; null if Fory's own, which calls the class's, is right.
   */
  static @Nullable OfSubclass ofSubclass(TypeResolver resolver, Class<?> type) {
    return LinkedHashMap.class.isAssignableFrom(type)
            && ChildContainerSerializers.getMapSerializerClass(type)
                == ChildContainerSerializers.ChildMapSerializer.class
        ? new OfSubclass(resolver, type)
        : null;
  }

  @Override
  public Map onMapWrite(WriteContext context, LinkedHashMap map) {
    if (isByAccess(map)) {
      context.getBuffer().writeVarUInt32Small7(BY_ACCESS);
    }
    return super.onMapWrite(context, map);
  }

  @Override
  public LinkedHashMap newMap(ReadContext context, boolean advances) {
    MemoryBuffer in = context.getBuffer();
    int start = in.readerIndex();
    boolean byAccess = in.readVarUInt32Small7() == BY_ACCESS;
    if (!byAccess) {
      in.readerIndex(start);
    }
    int size = readMapSize(context, in, advances);
    setNumElements(size);
    LinkedHashMap map = byAccess ? byAccess(size) : new LinkedHashMap(size);
    context.reference(map);
    return map;
  }

  private static LinkedHashMap byAccess(int size) {
    return new LinkedHashMap(Math.max(MIN_CAPACITY, size), LOAD_FACTOR, true);
  }

  /**
   * Refuses an instance in another order than the constructor without arguments makes, by which
   * Fory creates the copy.
   */
  static final class OfSubclass
      extends ChildContainerSerializers.ChildMapSerializer<LinkedHashMap> {
    private boolean isKnown;
    private boolean createsByAccess;

    @SuppressWarnings("unchecked")
    OfSubclass(TypeResolver resolver, Class<?> type) {
      super(resolver, (Class<LinkedHashMap>) type);
    }

    @Override
    public Map onMapWrite(WriteContext context, LinkedHashMap map) {
      boolean byAccess = isByAccess(map);
      if (byAccess != createsByAccess()) {
        throw new RefusedClassException(
            getType(),
            "This instance of "
                + getType().getName()
                + " is in "
                + (byAccess ? "access" : "insertion")
                + " order, and its constructor without parameters, which creates the decoded copy,"
                + " makes the other order. Let that constructor make this order, or register a"
                + " codec.");
      }
      return super.onMapWrite(context, map);
    }

    private boolean createsByAccess() {
      if (!isKnown) {
        try {
          createsByAccess =
              isByAccess((LinkedHashMap<?, ?>) ReflectionUtils.getCtrHandle(getType()).invoke());
        } catch (RuntimeException | Error e) {
          throw e;
        } catch (Throwable e) {
          throw new IllegalStateException(e);
        }
        isKnown = true;
      }
      return createsByAccess;
    }
  }
}
