package io.rockpool.codec;

import java.nio.charset.Charset;
import java.time.MonthDay;
import java.time.OffsetTime;
import java.time.Period;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.TimeZone;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.fory.config.Config;
import org.apache.fory.context.WriteContext;
import org.apache.fory.resolver.ClassResolver;
import org.apache.fory.resolver.TypeResolver;
import org.apache.fory.serializer.ReplaceResolveSerializer;
import org.apache.fory.serializer.Serializer;
import org.apache.fory.serializer.collection.MapSerializers;
import org.jspecify.annotations.Nullable;

/**
 * The serializers of JDK classes inside Fory's values, at every depth. Simple values use the
 * library's own codecs. Collections that Fory's serializers do not restore have their own here.
 */
final class JdkSerializers {
  /** The maximum number of empty slots of a queue, so that damaged bytes cannot ask for more. */
  private static final int MAX_EMPTY_SLOTS = 1 << 20;

  private static final AllowedClasses JDK_ALONE =
      new AllowedClasses(
          TypeRef.of(Object.class), AllowList.EMPTY, ClassLoader.getPlatformClassLoader());

  private static final Map<String, Codec<?>> CODECS = new HashMap<>();

  static {
    BuiltInCodecs.forEachValueCodec((type, codec) -> CODECS.put(type.getName(), codec));
    for (Class<?> known :
        List.of(
            String.class,
            byte[].class,
            Boolean.class,
            Byte.class,
            Short.class,
            Character.class,
            Integer.class,
            Long.class,
            Float.class,
            Double.class)) {
      CODECS.remove(known.getName()); // Fory writes these into its own code.
    }
    Codec<ZoneId> zone = TextCodec.zone();
    CODECS.put("java.time.ZoneOffset", zone);
    CODECS.put("java.time.ZoneRegion", zone);
    CODECS.put(
        "sun.util.calendar.ZoneInfo", text("timezone", TimeZone::getID, JdkSerializers::timeZone));
    CODECS.put(Period.class.getName(), text("period", Period::toString, Period::parse));
    CODECS.put(MonthDay.class.getName(), text("monthday", MonthDay::toString, MonthDay::parse));
    CODECS.put(
        OffsetTime.class.getName(), text("offsettime", OffsetTime::toString, OffsetTime::parse));
    CODECS.put(
        java.math.MathContext.class.getName(),
        text("mathcontext", java.math.MathContext::toString, java.math.MathContext::new));
    CODECS.put(Charset.class.getName(), text("charset", Charset::name, Charset::forName));
    CODECS.put(Pattern.class.getName(), TextCodec.pattern());
    CODECS.put(
        java.io.File.class.getName(), text("file", java.io.File::getPath, java.io.File::new));
  }

  private JdkSerializers() {}

  private static <T> Codec<T> text(
      String name, Function<T, String> toText, Function<String, T> fromText) {
    return TextCodec.of("text:" + name, toText, fromText);
  }

  /** {@code getTimeZone} returns GMT for an unknown name. */
  private static TimeZone timeZone(String id) {
    TimeZone zone = TimeZone.getTimeZone(id);
    if (!zone.getID().equals(id)) {
      throw new IllegalArgumentException("no such time zone");
    }
    return zone;
  }

  /** Returns the codec of a simple JDK class, or null. */
  static @Nullable Codec<?> codec(Class<?> type) {
    return CODECS.get(
        Charset.class.isAssignableFrom(type) ? Charset.class.getName() : type.getName());
  }

  /**
   * Returns the serializer of a JDK class, or of a throwable, time zone or calendar; null if Fory's
   * own serializer is right.
   *
   * @param allowed which classes may be in a value
   */
  static @Nullable Serializer<?> of(TypeResolver resolver, Class<?> type, AllowedClasses allowed) {
    Config config = resolver.getConfig();
    if (JdkTypes.isForeignCharset(type)) {
      throw new RefusedClassException(
          type, "Class " + type.getName() + " is a charset that not every JDK has.");
    }
    Codec<?> codec = codec(type);
    if (codec != null) {
      return new CodecSerializer<>(config, type, codec);
    }
    Object singleton = Singletons.of(type);
    if (singleton != null) {
      return new Singletons.OfClass(config, singleton);
    }
    if (JdkTypes.isWrittenByJdk(type)) {
      return JdkStreams.serializer(resolver, type, JDK_ALONE);
    }
    if (JdkTypes.isWrapper(type)
        || JdkTypes.isTakenForItsParent(type)
        || Throwable.class.isAssignableFrom(type)) {
      return JdkStreams.serializer(resolver, type, allowed);
    }
    if (type == ReplaceResolveSerializer.ReplaceStub.class) { // of which Fory reads all of them
      return new ReplacedSerializer(resolver, type);
    }
    if (ClassResolver.useReplaceResolveSerializer(type)
        && !type.getName().startsWith("java.")
        && !Collection.class.isAssignableFrom(type)
        && !Map.class.isAssignableFrom(type)) {
      return new ReplacedSerializer(resolver, type);
    }
    Serializer<?> external = ExternalSerializer.of(resolver, type);
    if (external != null) {
      return external;
    }
    if (BlockingQueue.class.isAssignableFrom(type) || type == PriorityQueue.class) {
      return queue(resolver, type);
    }
    return switch (type.getName()) {
      case "void" -> new NullElementSerializer(resolver);
      case "java.util.EnumMap" -> new EnumMapReader(resolver);
      case "java.util.Hashtable" -> hashtable(resolver);
      case "java.util.LinkedHashMap" -> new LinkedMapSerializer(resolver);
      case "java.util.ImmutableCollections$List12", "java.util.ImmutableCollections$ListN" ->
          ElementsSerializer.whole(
              resolver, type, JdkSerializers::immutableList, JdkSerializers::takesNull);
      case "java.util.ImmutableCollections$SubList" ->
          ElementsSerializer.whole(
              resolver,
              type,
              (all, takesNull) -> immutableList(all, takesNull).subList(0, all.length),
              JdkSerializers::partTakesNull);
      case "java.util.ArrayList$SubList" ->
          // Fory would write the whole list, and confuse references when it reads it.
          ElementsSerializer.whole(
              resolver, type, all -> new ArrayList<>(Arrays.asList(all)).subList(0, all.length));
      case "java.util.Collections$CopiesList" -> copies(resolver, type);
      case "java.util.concurrent.ConcurrentHashMap$KeySetView" ->
          filled(
              resolver,
              type,
              set -> ((ConcurrentHashMap.KeySetView<?, ?>) set).getMappedValue(),
              (mapped, size) ->
                  new ConcurrentHashMap<Object, Object>().keySet(mapped == null ? true : mapped));
      case "java.util.KeyValueHolder" ->
          new PartSerializer<Map.Entry<?, ?>>(
              config,
              type,
              entry -> new Object[] {entry.getKey(), entry.getValue()},
              part -> Map.entry(((Object[]) part)[0], ((Object[]) part)[1]));
      case "java.util.concurrent.atomic.AtomicIntegerArray" ->
          new PartSerializer<AtomicIntegerArray>(
              config, type, JdkSerializers::ints, part -> new AtomicIntegerArray((int[]) part));
      case "java.util.concurrent.atomic.AtomicLongArray" ->
          new PartSerializer<AtomicLongArray>(
              config, type, JdkSerializers::longs, part -> new AtomicLongArray((long[]) part));
      case "java.util.concurrent.atomic.AtomicReferenceArray" ->
          new PartSerializer<AtomicReferenceArray<Object>>(
              config, type, JdkSerializers::objects, p -> new AtomicReferenceArray<>((Object[]) p));
      default -> LinkedMapSerializer.ofSubclass(resolver, type);
    };
  }

  @SuppressWarnings("unchecked")
  private static Serializer<?> hashtable(TypeResolver resolver) {
    return new MapSerializers.JDKCompatibleMapSerializer<>(
        resolver, (Class<Hashtable<?, ?>>) (Class<?>) Hashtable.class) {
      @Override
      public void write(WriteContext context, Hashtable<?, ?> value) {
        DistinctElements.requireOfAny(value, value.keySet());
        super.write(context, value);
      }
    };
  }

  @SuppressWarnings("unchecked")
  private static @Nullable Serializer<?> queue(TypeResolver resolver, Class<?> type) {
    if (type == PriorityQueue.class) {
      return filled(
          resolver,
          type,
          queue -> ((PriorityQueue<Object>) queue).comparator(),
          (order, size) -> new PriorityQueue<>(Math.max(1, size), (Comparator<Object>) order));
    }
    if (type == PriorityBlockingQueue.class) {
      return filled(
          resolver,
          type,
          queue -> ((PriorityBlockingQueue<Object>) queue).comparator(),
          (order, size) ->
              new PriorityBlockingQueue<>(Math.max(1, size), (Comparator<Object>) order));
    }
    if (type == ArrayBlockingQueue.class) {
      return filled(resolver, type, JdkSerializers::capacity, JdkSerializers::arrayQueue);
    }
    if (type == LinkedBlockingQueue.class) {
      return filled(
          resolver,
          type,
          JdkSerializers::capacity,
          (n, size) -> new LinkedBlockingQueue<>(slots(n)));
    }
    if (type == LinkedBlockingDeque.class) {
      return filled(
          resolver,
          type,
          JdkSerializers::capacity,
          (n, size) -> new LinkedBlockingDeque<>(slots(n)));
    }
    if (type == LinkedTransferQueue.class) {
      return filled(resolver, type, queue -> null, (none, size) -> new LinkedTransferQueue<>());
    }
    return null;
  }

  private static Serializer<?> filled(
      TypeResolver resolver,
      Class<?> type,
      Function<Collection<@Nullable Object>, @Nullable Object> trait,
      BiFunction<@Nullable Object, Integer, Collection<@Nullable Object>> empty) {
    return ElementsSerializer.filled(resolver, type, trait, empty);
  }

  private static Object capacity(Collection<@Nullable Object> queue) {
    return queue.size() + ((BlockingQueue<?>) queue).remainingCapacity();
  }

  private static int slots(@Nullable Object capacity) {
    return Objects.requireNonNull((Integer) capacity);
  }

  /** The queue allocates its capacity at once, so damaged bytes must not ask for too much. */
  private static Collection<@Nullable Object> arrayQueue(@Nullable Object capacity, int size) {
    if (slots(capacity) > MAX_EMPTY_SLOTS && slots(capacity) > 8L * size) {
      throw Undecodable.damaged(ValueTag.FORY_ID, "a queue of " + capacity + " slots", null);
    }
    return new ArrayBlockingQueue<>(slots(capacity));
  }

  /** Lists from streams may hold null, and {@code contains(null)} does not throw on them. */
  private static List<@Nullable Object> immutableList(
      @Nullable Object[] elements, boolean takesNull) {
    return takesNull ? Arrays.asList(elements).stream().toList() : List.of(elements);
  }

  /** {@code copyOf} returns the same list if it takes no null. */
  private static boolean takesNull(List<@Nullable Object> list) {
    try {
      return List.copyOf(list) != list;
    } catch (NullPointerException e) {
      return true; // It holds null.
    }
  }

  private static boolean partTakesNull(List<@Nullable Object> list) {
    try {
      return !list.subList(0, 0).contains(null);
    } catch (NullPointerException e) {
      return false;
    }
  }

  private static Serializer<?> copies(TypeResolver resolver, Class<?> type) {
    return ElementsSerializer.whole(
        resolver,
        type,
        elements ->
            Collections.nCopies(elements.length, elements.length == 0 ? null : elements[0]));
  }

  private static Object ints(AtomicIntegerArray array) {
    int[] copy = new int[array.length()];
    Arrays.setAll(copy, array::get);
    return copy;
  }

  private static Object longs(AtomicLongArray array) {
    long[] copy = new long[array.length()];
    Arrays.setAll(copy, array::get);
    return copy;
  }

  private static Object objects(AtomicReferenceArray<Object> array) {
    Object[] copy = new Object[array.length()];
    Arrays.setAll(copy, array::get);
    return copy;
  }
}
