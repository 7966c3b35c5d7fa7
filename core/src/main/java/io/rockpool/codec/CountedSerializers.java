package io.rockpool.codec;

import java.util.Arrays;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArraySet;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.memory.MemoryBuffer;
import org.apache.fory.resolver.TypeInfoHolder;
import org.apache.fory.resolver.TypeResolver;
import org.apache.fory.serializer.Serializer;
import org.apache.fory.serializer.Serializers;
import org.apache.fory.serializer.collection.ChildContainerSerializers;
import org.apache.fory.serializer.collection.CollectionFlags;
import org.apache.fory.serializer.collection.CollectionSerializer;
import org.apache.fory.serializer.collection.MapFlags;
import org.apache.fory.serializer.collection.MapSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Fory's serializers of sets and maps of the JDK and of classes that extend them. They note the
 * sizes for {@link ContainerSizes}, and refuse to write what {@link DistinctElements} refuses.
 */
@SuppressWarnings({"rawtypes", "unchecked"}) // as in Fory
final class CountedSerializers {
  private static final Set<Class<?>> COUNTED =
      Set.of(
          HashSet.class,
          LinkedHashSet.class,
          TreeSet.class,
          ConcurrentSkipListSet.class,
          CopyOnWriteArraySet.class,
          HashMap.class,
          LinkedHashMap.class,
          TreeMap.class,
          ConcurrentHashMap.class,
          ConcurrentSkipListMap.class);

  /** Those that refuse equal elements when they are made, or have a map that is counted. */
  private static final Set<Class<?>> WRITTEN =
      Set.of(Set.of(1).getClass(), Set.of().getClass(), Map.of().getClass(), MapSetWriter.TYPE);

  private CountedSerializers() {}

  /**
   * @param sizes null for writing
   */
  static boolean counts(Class<?> type, @Nullable ContainerSizes sizes) {
    return COUNTED.contains(type) || (sizes == null && WRITTEN.contains(type));
  }

  /**
   * Returns the serializer of a class that Fory does not know by number.
   *
   * @param ours null if Fory's own is right
   * @param sizes null for writing
   */
  static @Nullable Serializer<?> ofSubclass(
      TypeResolver resolver,
      Class<?> type,
      @Nullable Serializer<?> ours,
      @Nullable ContainerSizes sizes) {
    Class<? extends Serializer> own =
        Set.class.isAssignableFrom(type)
            ? ChildContainerSerializers.getCollectionSerializerClass(type)
            : Map.class.isAssignableFrom(type)
                ? ChildContainerSerializers.getMapSerializerClass(type)
                : null;
    if (own == null || (ours != null && !own.isInstance(ours))) {
      return ours;
    }
    return of(
        resolver, ours == null ? Serializers.newSerializer(resolver, type, own) : ours, sizes);
  }

  /**
   * Returns a serializer that reads and writes as the given one, and checks.
   *
   * @param sizes null for writing
   */
  static Serializer<?> of(
      TypeResolver resolver, Serializer<?> own, @Nullable ContainerSizes sizes) {
    if (own.getType() == MapSetWriter.TYPE) {
      return new MapSetWriter(resolver);
    }
    return own instanceof MapSerializer<?> map
        ? new OfMap(resolver, map, sizes)
        : new OfCollection(resolver, (CollectionSerializer<?>) own, sizes);
  }

  private static final class OfCollection extends CollectionSerializer<Collection> {
    private final CollectionSerializer<Collection> own;
    private final ContainerSizes sizes;
    private final boolean plain;
    private final boolean ofJdk;

    OfCollection(
        TypeResolver resolver, CollectionSerializer<?> own, @Nullable ContainerSizes sizes) {
      super(resolver, (Class<Collection>) own.getType(), own.supportCodegenHook());
      this.own = (CollectionSerializer<Collection>) own;
      this.sizes = sizes == null ? new ContainerSizes() : sizes;
      this.plain = own.getType() == HashSet.class;
      this.ofJdk = counts(own.getType(), null);
    }

    @Override
    public Collection onCollectionWrite(WriteContext context, Collection value) {
      Collection written = own.onCollectionWrite(context, value);
      int size = written.size();
      if (size < 2) {
        return written;
      }
      if (written != value
          || !ofJdk) { // It is taken back at the end, or has an iterator of its own.
        DistinctElements.requireOfAny(value, written);
        return written;
      }
      Object[] elements = value.toArray();
      DistinctElements.require(value, elements);
      if (elements.length != size) {
        throw new ConcurrentModificationException();
      }
      return Arrays.asList(
          elements); // Fory looks at the elements twice: in an array, that is less.
    }

    @Override
    public int writeTypeHeader(
        WriteContext context, Collection elements, Class declared, TypeInfoHolder holder) {
      return checked(elements, super.writeTypeHeader(context, elements, declared, holder));
    }

    @Override
    public int writeTypeHeader(WriteContext context, Collection elements, TypeInfoHolder holder) {
      return checked(elements, super.writeTypeHeader(context, elements, holder));
    }

    @Override
    public int writeTypeNullabilityHeader(
        WriteContext context, Collection elements, Class declared, TypeInfoHolder holder) {
      return checked(
          elements, super.writeTypeNullabilityHeader(context, elements, declared, holder));
    }

    private static int checked(Collection elements, int flags) {
      if ((flags & CollectionFlags.IS_SAME_TYPE) == 0) {
        DistinctElements.requireOfAny(elements, elements);
      }
      return flags;
    }

    @Override
    public void onCollectionWriteFinish(Collection written) {
      own.onCollectionWriteFinish(written);
    }

    @Override
    public Collection newCollection(ReadContext context, boolean advances) {
      Collection collection;
      int size;
      if (plain) { // as Fory does: one call less
        size = readCollectionSize(context, context.getBuffer(), advances);
        collection = new HashSet(size);
        context.reference(collection);
      } else {
        collection = own.newCollection(context, advances);
        size = own.getAndClearNumElements();
      }
      setNumElements(size);
      if (plain || collection.getClass() == getType()) {
        sizes.expect(collection, size);
      }
      return collection;
    }

    /** What the elements are read into may be a list of them. */
    @Override
    public Collection onCollectionRead(Collection read) {
      if (plain) {
        return read;
      }
      int size = read.size();
      Collection collection = own.onCollectionRead(read);
      if (collection != read) {
        sizes.expect(collection, size);
      }
      return collection;
    }
  }

  private static final int NULLS = MapFlags.KEY_HAS_NULL | MapFlags.VALUE_HAS_NULL;

  private static final class OfMap extends MapSerializer<Map> {
    private final MapSerializer<Map> own;
    private final ContainerSizes sizes;
    private final boolean plain;

    /** Where the entries begin of each map that is being written, from the outermost inwards. */
    private int[] starts = new int[4];

    private @Nullable Map[] maps = new @Nullable Map[4];

    /** The maps of which {@link #maps} has what is written: of a concurrent one, a snapshot. */
    private @Nullable Map[] values = new @Nullable Map[4];

    private int depth;
    private @Nullable MemoryBuffer buffer;

    OfMap(TypeResolver resolver, MapSerializer<?> own, @Nullable ContainerSizes sizes) {
      super(resolver, (Class<Map>) own.getType(), own.supportCodegenHook());
      this.own = (MapSerializer<Map>) own;
      this.sizes = sizes == null ? new ContainerSizes() : sizes;
      this.plain = own.getType() == HashMap.class;
    }

    @Override
    public Map onMapWrite(WriteContext context, Map value) {
      Map written = own.onMapWrite(context, value);
      if (written.size() > 1) {
        DistinctElements.requireKeys(value, written);
        begin(value, written, context.getBuffer());
      }
      return written;
    }

    /** Drops maps that were begun and not finished, as a write failed. */
    private void begin(Map value, Map written, MemoryBuffer out) {
      buffer = out;
      int start = out.writerIndex();
      while (depth > 0 && starts[depth - 1] >= start) {
        drop();
      }
      if (depth == starts.length) {
        starts = Arrays.copyOf(starts, 2 * depth);
        maps = Arrays.copyOf(maps, 2 * depth);
        values = Arrays.copyOf(values, 2 * depth);
      }
      starts[depth] = start;
      values[depth] = value;
      maps[depth++] = written;
    }

    private @Nullable Map drop() {
      maps[--depth] = null;
      Map value = values[depth];
      values[depth] = null;
      return value;
    }

    @Override
    public void onMapWriteFinish(Map written) {
      Map value = written.size() > 1 ? end(written) : null;
      if (value != null && !isOneChunk(starts[depth], written.size())) {
        DistinctElements.requireOfAny(value, written.keySet());
      }
      own.onMapWriteFinish(written);
    }

    /** Ends a map, and those that were begun in it; returns it, or null if it was not begun. */
    private @Nullable Map end(Map written) {
      int at = depth - 1;
      while (at >= 0 && maps[at] != written) {
        at--;
      }
      Map value = null;
      while (at >= 0 && depth > at) {
        value = drop();
      }
      return value;
    }

    /** Returns whether Fory wrote all entries in one chunk, so that the keys have one class. */
    private boolean isOneChunk(int start, int size) {
      MemoryBuffer out = Objects.requireNonNull(buffer);
      return start + 1 < out.writerIndex() // else a MapSetWriter will write them
          && (out.getByte(start) & NULLS) == 0
          && (out.getByte(start + 1) & 0xff) == size;
    }

    @Override
    public Map newMap(ReadContext context, boolean advances) {
      Map map;
      int size;
      if (plain) { // as Fory does: one call less
        size = readMapSize(context, context.getBuffer(), advances);
        map = new HashMap(size);
        context.reference(map);
      } else {
        map = own.newMap(context, advances);
        size = own.getAndClearNumElements();
      }
      setNumElements(size);
      if (plain || map.getClass() == getType()) {
        sizes.expect(map, size);
      }
      return map;
    }

    @Override
    public Map onMapRead(Map read) {
      return plain ? read : own.onMapRead(read);
    }
  }
}
