package io.rockpool.codec;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArraySet;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.resolver.TypeResolver;
import org.apache.fory.serializer.Serializer;
import org.apache.fory.serializer.collection.CollectionSerializer;
import org.apache.fory.serializer.collection.MapSerializer;

/**
 * Fory's serializers of the JDK's sets and maps, which note the sizes for {@link ContainerSizes}.
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

  private CountedSerializers() {}

  static boolean counts(Class<?> type) {
    return COUNTED.contains(type);
  }

  /** Returns a serializer that reads and writes as the given one, and notes sizes. */
  static Serializer<?> of(TypeResolver resolver, Serializer<?> own, ContainerSizes sizes) {
    return own instanceof MapSerializer<?> map
        ? new OfMap(resolver, map, sizes)
        : new OfCollection(resolver, (CollectionSerializer<?>) own, sizes);
  }

  private static final class OfCollection extends CollectionSerializer<Collection> {
    private final CollectionSerializer<Collection> own;
    private final ContainerSizes sizes;

    OfCollection(TypeResolver resolver, CollectionSerializer<?> own, ContainerSizes sizes) {
      super(resolver, (Class<Collection>) own.getType(), own.supportCodegenHook());
      this.own = (CollectionSerializer<Collection>) own;
      this.sizes = sizes;
    }

    @Override
    public Collection onCollectionWrite(WriteContext context, Collection value) {
      return own.onCollectionWrite(context, value);
    }

    @Override
    public void onCollectionWriteFinish(Collection written) {
      own.onCollectionWriteFinish(written);
    }

    @Override
    public Collection newCollection(ReadContext context, boolean advances) {
      Collection collection = own.newCollection(context, advances);
      int size = own.getAndClearNumElements();
      setNumElements(size);
      if (collection.getClass() == getType()) {
        sizes.expect(collection, size);
      }
      return collection;
    }

    /** What the elements are read into may be a list of them. */
    @Override
    public Collection onCollectionRead(Collection read) {
      int size = read.size();
      Collection collection = own.onCollectionRead(read);
      if (collection != read) {
        sizes.expect(collection, size);
      }
      return collection;
    }
  }

  private static final class OfMap extends MapSerializer<Map> {
    private final MapSerializer<Map> own;
    private final ContainerSizes sizes;

    OfMap(TypeResolver resolver, MapSerializer<?> own, ContainerSizes sizes) {
      super(resolver, (Class<Map>) own.getType(), own.supportCodegenHook());
      this.own = (MapSerializer<Map>) own;
      this.sizes = sizes;
    }

    @Override
    public Map onMapWrite(WriteContext context, Map value) {
      return own.onMapWrite(context, value);
    }

    @Override
    public void onMapWriteFinish(Map written) {
      own.onMapWriteFinish(written);
    }

    @Override
    public Map newMap(ReadContext context, boolean advances) {
      Map map = own.newMap(context, advances);
      int size = own.getAndClearNumElements();
      setNumElements(size);
      if (map.getClass() == getType()) {
        sizes.expect(map, size);
      }
      return map;
    }

    @Override
    public Map onMapRead(Map read) {
      return own.onMapRead(read);
    }
  }
}
