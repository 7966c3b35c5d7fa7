package io.rockpool.codec;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.reflect.FieldAccessor;
import org.apache.fory.resolver.TypeInfo;
import org.apache.fory.resolver.TypeResolver;
import org.apache.fory.serializer.Serializer;
import org.apache.fory.serializer.collection.CollectionSerializer;
import org.apache.fory.serializer.collection.MapLikeSerializer;

/**
 * Writes {@code Collections.newSetFromMap} as Fory does: the class and size of its map, and then
 * the keys. Fory begins to write the map and never ends it: the keys would not be checked, the map
 * would stay reachable, and a map that another thread changes could have more keys than its size.
 */
@SuppressWarnings({"rawtypes", "unchecked"}) // as in Fory
final class MapSetWriter extends CollectionSerializer<Set> {
  static final Class<?> TYPE = Collections.newSetFromMap(new HashMap<>()).getClass();

  /** No method of the set returns its map. */
  private static final FieldAccessor MAP = map();

  private static FieldAccessor map() {
    try {
      return FieldAccessor.createAccessor(TYPE.getDeclaredField("m"));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  MapSetWriter(TypeResolver resolver) {
    super(resolver, (Class<Set>) TYPE, true);
  }

  @Override
  public Collection onCollectionWrite(WriteContext context, Set value) {
    Map map = (Map) MAP.getObject(value);
    TypeInfo info = typeResolver.getTypeInfo(map.getClass());
    typeResolver.writeTypeInfo(context, info);
    MapLikeSerializer<Map> ofMap = (MapLikeSerializer<Map>) (Serializer<?>) info.getSerializer();
    context.getBuffer().writeBoolean(ofMap.supportCodegenHook());
    if (!ofMap.supportCodegenHook()) {
      ofMap.write(context, map);
      return List.of();
    }
    Map written = ofMap.onMapWrite(context, map);
    List<Object> keys = Arrays.asList(written.keySet().toArray());
    ofMap.onMapWriteFinish(written);
    return keys;
  }

  @Override
  public Set onCollectionRead(Collection read) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Set read(ReadContext context) {
    throw new UnsupportedOperationException();
  }
}
