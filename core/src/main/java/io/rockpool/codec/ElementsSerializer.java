package io.rockpool.codec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.memory.MemoryBuffer;
import org.apache.fory.resolver.TypeResolver;
import org.apache.fory.serializer.collection.CollectionLikeSerializer;
import org.apache.fory.type.GenericType;
import org.apache.fory.type.Generics;
import org.jspecify.annotations.Nullable;

/**
 * Writes a collection of the JDK as its trait (a comparator or a capacity), unless it has none, and
 * its elements, as they are at one moment.
 */
final class ElementsSerializer<C extends Collection<@Nullable Object>>
    extends CollectionLikeSerializer<C> {
  /**
   * Hides the declared type of the elements. Fory's generated code does not pass it to this
   * serializer, but the code that skips a removed field does. Elements are therefore always written
   * with their classes.
   */
  private static final GenericType ANY_ELEMENTS = GenericType.build(Object.class);

  private final @Nullable Function<C, @Nullable Object> trait;
  private final @Nullable BiFunction<@Nullable Object, Integer, C> empty;
  private final @Nullable BiFunction<@Nullable Object[], Boolean, C> whole;
  private final @Nullable Predicate<C> takesNull;

  @SuppressWarnings("unchecked")
  private ElementsSerializer(
      TypeResolver resolver,
      Class<?> type,
      @Nullable Function<C, @Nullable Object> trait,
      @Nullable BiFunction<@Nullable Object, Integer, C> empty,
      @Nullable BiFunction<@Nullable Object[], Boolean, C> whole,
      @Nullable Predicate<C> takesNull) {
    super(resolver, (Class<C>) type, false);
    this.trait = trait;
    this.empty = empty;
    this.whole = whole;
    this.takesNull = takesNull;
  }

  /** A collection that is made of its trait and expected size, and then filled. */
  static <C extends Collection<@Nullable Object>> ElementsSerializer<C> filled(
      TypeResolver resolver,
      Class<?> type,
      Function<C, @Nullable Object> trait,
      BiFunction<@Nullable Object, Integer, C> empty) {
    return new ElementsSerializer<>(resolver, type, trait, empty, null, null);
  }

  /** A collection that is made of all its elements at once. */
  static <C extends Collection<@Nullable Object>> ElementsSerializer<C> whole(
      TypeResolver resolver, Class<?> type, Function<@Nullable Object[], C> whole) {
    return new ElementsSerializer<>(
        resolver, type, null, null, (elements, takesNull) -> whole.apply(elements), null);
  }

  /**
   * A collection that is made of all its elements at once, and of whether it may be asked for null.
   */
  static <C extends Collection<@Nullable Object>> ElementsSerializer<C> whole(
      TypeResolver resolver,
      Class<?> type,
      BiFunction<@Nullable Object[], Boolean, C> whole,
      Predicate<C> takesNull) {
    return new ElementsSerializer<>(resolver, type, null, null, whole, takesNull);
  }

  @Override
  public void write(WriteContext context, C value) {
    @Nullable Object[] elements = value.toArray();
    if (value instanceof Set) {
      DistinctElements.requireOfAny(value, Arrays.asList(elements));
    }
    if (trait != null) {
      context.writeRef(trait.apply(value));
    }
    int size = elements.length;
    if (takesNull != null) {
      size = size << 1 | (takesNull.test(value) ? 1 : 0);
    }
    context.getBuffer().writeVarUInt32(size);
    if (elements.length > 0) {
      Generics generics = context.getGenerics();
      generics.pushGenericType(ANY_ELEMENTS, context.getDepth() - 1);
      writeElements(context, Arrays.asList(elements));
      generics.popGenericType(context.getDepth() - 1);
    }
  }

  @Override
  public C read(ReadContext context) {
    int id = context.hasPreservedRefId() ? context.lastPreservedRefId() : -1;
    Object found = trait == null ? null : context.readRef();
    MemoryBuffer in = context.getBuffer();
    int stored = in.readVarUInt32();
    int size = CodecSerializer.requireThatMany(in, takesNull == null ? stored : stored >>> 1);
    if (whole != null) {
      List<@Nullable Object> elements = new ArrayList<>(size);
      fill(context, elements, size);
      return whole.apply(elements.toArray(), (stored & 1) == 1);
    }
    C collection = Objects.requireNonNull(empty).apply(found, size);
    context.setReadRef(id, collection); // Before the elements, which may refer to it.
    fill(context, collection, size);
    ContainerSizes.require(getType(), collection, size);
    return collection;
  }

  private void fill(ReadContext context, Collection<@Nullable Object> collection, int size) {
    if (size > 0) {
      Generics generics = context.getGenerics();
      generics.pushGenericType(ANY_ELEMENTS, context.getDepth() - 1);
      readElements(context, collection, size);
      generics.popGenericType(context.getDepth() - 1);
    }
  }

  // Fory calls these two only from generated code, which the constructor excludes.

  @Override
  public Collection<?> onCollectionWrite(WriteContext context, C value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public C onCollectionRead(@SuppressWarnings("rawtypes") Collection collection) {
    throw new UnsupportedOperationException();
  }
}
