package io.rockpool.codec;

import java.lang.reflect.Array;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.fory.Fory;
import org.apache.fory.config.CompatibleMode;
import org.apache.fory.config.Config;
import org.apache.fory.config.UnknownEnumValueStrategy;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.logging.LogLevel;
import org.apache.fory.logging.LoggerFactory;
import org.apache.fory.meta.DeflaterMetaCompressor;
import org.apache.fory.meta.MetaCompressor;
import org.apache.fory.resolver.ClassResolver;
import org.apache.fory.resolver.SharedRegistry;
import org.apache.fory.resolver.TypeResolver;
import org.apache.fory.serializer.ReplaceResolveSerializer;
import org.apache.fory.serializer.Serializer;
import org.apache.fory.serializer.UnknownClass;
import org.apache.fory.serializer.UnknownClassSerializers;
import org.apache.fory.serializer.collection.CollectionLikeSerializer;
import org.apache.fory.serializer.collection.MapLikeSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Creates the Fory instances of one declared type. They have the same configuration and share what
 * they learn about classes. Three gates refuse classes outside {@link AllowedClasses}: the class
 * loader, for names in stored bytes; the serializer factory, for objects that are written; and
 * replaced serializers, for classes that Fory knows by number.
 *
 * <p>Fory compiles the serializers of a class once for all codecs, and keeps them by soft
 * references. So an undeployed application's class loader is freed when memory is short.
 */
final class ForyRuntime {
  /** For the field names of a class. With its own limit of 4 KiB, Fory could not read its bytes. */
  private static final int MAX_TYPE_META_BYTES = 1 << 20;

  private static final int MAX_TYPE_FIELDS = 65_535;

  /** A class may change this often over the life of a store before old values become unreadable. */
  private static final int MAX_SCHEMA_VERSIONS = 10_000;

  /** Elements that take no bytes, such as records without components, in one value. */
  private static final int MAX_EMPTY_ELEMENTS = 1 << 20;

  /**
   * The heap size of the largest value. Against damaged lengths, Fory checks that enough bytes
   * remain.
   */
  private static final long MAX_GRAPH_BYTES = 32L << 30;

  /** The same for all instances, so that Fory's static table of configurations does not grow. */
  private static final String NAME = "rockpool";

  static {
    LoggerFactory.useSlf4jLogging(true); // Otherwise Fory prints to the standard output.
    LoggerFactory.setLogLevel(LogLevel.ERROR_LEVEL); // Its warnings are about this configuration.
    ForyThread.start();
  }

  private final AllowedClasses allowed;
  private final AllowedClassLoader loader;

  /**
   * The names of refused classes of the JDK that fields are declared as, so that {@link #loader}
   * finds them. Fory asks for no serializer of a stored object with other fields than its class.
   */
  private final Set<String> refusedToRead = ConcurrentHashMap.newKeySet();

  private final SharedRegistry forWriting = new SharedRegistry();
  private final SharedRegistry forReading = new SharedRegistry();
  private final MetaCompressor classData = new DeflaterMetaCompressor();
  private final boolean compiles = canCompile();

  /** The {@link Singletons} whose serializers each Fory gets when it is created. */
  private final Set<Class<?>> singletons;

  private ForyRuntime(AllowedClasses allowed, Set<Class<?>> singletons) {
    this.allowed = allowed;
    this.singletons = singletons;
    this.loader = new AllowedClassLoader(allowed);
  }

  /**
   * Returns whether Fory can compile serializers: it formats the numbers in their source text with
   * the default locale, whose digits may not be those of Java. The bytes of values are the same.
   */
  private static boolean canCompile() {
    return String.format(Locale.getDefault(Locale.Category.FORMAT), "%d", -1_234_567_890L)
        .equals("-1234567890");
  }

  /** Returns a runtime for values, whose objects may refer to each other in any way. */
  static ForyRuntime forValues(AllowedClasses allowed) {
    return new ForyRuntime(allowed, Set.of());
  }

  /** Returns a runtime that has not seen any stored class yet. */
  ForyRuntime anew() {
    Set<Class<?>> known = new HashSet<>(singletons);
    known.addAll(loader.singletons());
    return new ForyRuntime(allowed, known);
  }

  ForyInstance newInstance(ClassProofs proofs) {
    Learning learning = new Learning(allowed);
    return new ForyInstance(
        () -> newFory(learning, forWriting),
        () -> newFory(learning, forReading),
        proofs,
        learning,
        allowed,
        resolver -> fieldTypes(resolver, true));
  }

  private Fory newFory(Learning learning, SharedRegistry registry) {
    ContainerSizes sizes = registry == forWriting ? null : learning.sizes;
    Fory fory =
        Fory.builder()
            .withName(NAME)
            .withXlang(false)
            .withCompatibleMode(CompatibleMode.COMPATIBLE)
            .withRefTracking(true)
            .withMetaCompressor(classData)
            .requireClassRegistration(false)
            .registerGuavaTypes(false) // Their numbers would hide them from learning.
            .withTypeChecker(
                (resolver, name) -> registry == forWriting || !refusedToRead.contains(name))
            .withClassLoader(loader)
            .withCodegen(compiles)
            .withSharedRegistry(registry)
            .withSerializerFactory((resolver, type) -> serializer(resolver, type, learning, sizes))
            .serializeEnumByName(true)
            .withUnknownEnumValueStrategy(UnknownEnumValueStrategy.NOT_ALLOWED)
            .withDeserializeUnknownClass(true)
            .withMaxDepth(Nesting.MAX_DEPTH)
            .withMaxTypeMetaBytes(MAX_TYPE_META_BYTES)
            .withMaxTypeFields(MAX_TYPE_FIELDS)
            .withMaxSchemaVersionsPerType(MAX_SCHEMA_VERSIONS)
            .withMaxAverageSchemaVersionsPerType(MAX_SCHEMA_VERSIONS)
            .withMaxUnbackedContainerItems(MAX_EMPTY_ELEMENTS)
            .withMaxGraphMemoryBytes(MAX_GRAPH_BYTES)
            .build();
    replaceThoseKnownByNumber((ClassResolver) fory.getTypeResolver(), learning, sizes);
    meetThoseNotPlain(fory.getTypeResolver());
    singletons.forEach(fory.getTypeResolver()::getSerializer);
    fory.getTypeResolver().finishRegistration();
    return fory;
  }

  /** Without this, Fory cannot read such a class before it has written one. */
  private static void meetThoseNotPlain(TypeResolver resolver) {
    JdkTypes.notPlain().forEach(resolver::getSerializer);
  }

  /** Returns the message for a class in stored bytes that is not allowed. */
  String refusal(String className) {
    return allowed.refusal(className);
  }

  /**
   * Returns the message for the last class in stored bytes that is missing or not allowed; null if
   * there was none.
   */
  @Nullable String lastForeignClass() {
    return loader.lastRefusal();
  }

  /**
   * Returns whether this runtime takes a class for unknown that has been learned since, for one of
   * many instances that has one, or compiles and cannot any more. Asks the catalog for each class
   * that it was refused.
   */
  boolean isOutdated() {
    return hasLostCompiler()
        || loader.refusedOneLearnedSince()
        || !singletons.containsAll(loader.singletons());
  }

  /** Returns whether the default locale has changed to one with which Fory cannot compile. */
  boolean hasLostCompiler() {
    return compiles && !canCompile();
  }

  private @Nullable Serializer<?> serializer(
      TypeResolver resolver, Class<?> type, Learning learning, @Nullable ContainerSizes sizes) {
    boolean isStandIn = UnknownClass.isUnknowClass(type);
    if (isStandIn && (type.isEnum() || type.isArray())) {
      return readOnly(resolver, type);
    }
    if (AllowedClasses.element(type).isHidden()) {
      throw new RefusedClassException(
          type,
          "Class "
              + type.getName()
              + " is hidden, as those of lambdas are, so stored bytes cannot name it. Store a value"
              + " without it.");
    }
    String namelessness = learning.isWriting() ? allowed.namelessness(type) : null;
    if (namelessness != null && !isStandIn) {
      throw new RefusedClassException(type, namelessness);
    }
    if (!learning.meet(type) && !allowed.allows(type)) {
      if (!Refusals.isJdk(AllowedClasses.element(type))) {
        throw refused(type);
      }
      return refusalOf(resolver, type); // A field may be declared as it, and be null.
    }
    learning.findByThread(type);
    allowed.findFieldTypes(type);
    fieldTypes(resolver, !learning.isWriting()).note(type);
    return CountedSerializers.ofSubclass(
        resolver, type, JdkSerializers.of(resolver, type, allowed), sizes);
  }

  private FieldTypes fieldTypes(TypeResolver resolver, boolean reads) {
    return new FieldTypes(
        (ClassResolver) resolver,
        type -> reads && isRefusedToRead(type),
        type -> refusalOf(resolver, type));
  }

  private boolean isRefusedToRead(Class<?> type) {
    boolean isRefused = Refusals.isJdk(AllowedClasses.element(type)) && !allowed.allows(type);
    if (isRefused) {
      refusedToRead.add(type.getName());
    }
    return isRefused;
  }

  private String refusal(Class<?> type) {
    String foreign = loader.lastRefusal();
    boolean isStandIn = UnknownClass.isUnknowClass(type);
    if (!isStandIn) {
      return allowed.refusal(type);
    }
    return foreign != null
        ? foreign
        : "An object of the value is also in a field that its class does not have now. Give the"
            + " class its field back, or write the value anew.";
  }

  private RefusedClassException refused(Class<?> type) {
    return new RefusedClassException(type, refusal(type));
  }

  /** Fory knows some JDK classes by number, such as lambdas, and asks no class loader for them. */
  private void replaceThoseKnownByNumber(
      ClassResolver resolver, Learning learning, @Nullable ContainerSizes sizes) {
    FieldTypes types = fieldTypes(resolver, false);
    for (Class<?> type : resolver.getRegisteredClasses()) {
      replace(resolver, type, sizes);
      types.noteType(type);
    }
    resolver.setSerializer(
        Class.class, new ClassSerializer(resolver.getConfig(), allowed, loader, learning));
  }

  @SuppressWarnings("unchecked")
  private <T> void replace(ClassResolver resolver, Class<T> type, @Nullable ContainerSizes sizes) {
    Serializer<?> ours =
        allowed.allowsByNumber(type) || type == ReplaceResolveSerializer.ReplaceStub.class
            ? JdkSerializers.of(resolver, type, allowed)
            : refusalOf(resolver, type);
    if (CountedSerializers.counts(type, sizes)) {
      Serializer<?> own = ours == null ? resolver.getSerializer(type) : ours;
      resolver.setSerializer(type, (Serializer<T>) CountedSerializers.of(resolver, own, sizes));
    } else if (ours != null) {
      resolver.setSerializer(type, (Serializer<T>) ours);
    }
  }

  /** Fory takes the serializer of a collection or map for one of such. */
  private <T> Serializer<?> refusalOf(TypeResolver resolver, Class<T> type) {
    if (Collection.class.isAssignableFrom(type)) {
      return new CollectionRefusal<>(resolver, type);
    }
    return Map.class.isAssignableFrom(type)
        ? new MapRefusal<>(resolver, type)
        : new Refusal<>(resolver.getConfig(), type);
  }

  /** Elements of a skipped array may be of a known class, so the array takes any object. */
  @SuppressWarnings("unchecked")
  private <T> Serializer<T> readOnly(TypeResolver resolver, Class<T> type) {
    Class<?> readAs = type.isArray() ? Object[].class : type;
    Serializer<T> reader =
        (Serializer<T>) UnknownClassSerializers.getSerializer(resolver, type.getName(), readAs);
    return new ReadOnly<>(resolver.getConfig(), type, reader);
  }

  /** Reads the stand-in for an object of an unknown class, to skip it, and refuses to write it. */
  private final class ReadOnly<T> extends Serializer<T> {
    private final Serializer<T> reader;

    ReadOnly(Config config, Class<T> type, Serializer<T> reader) {
      super(config, type);
      this.reader = reader;
    }

    @Override
    public void write(WriteContext context, T value) {
      throw refused(getType());
    }

    @Override
    @SuppressWarnings("unchecked")
    public T read(ReadContext context) {
      int id = context.hasPreservedRefId() ? context.lastPreservedRefId() : -1;
      T read = reader.read(context);
      ForyInstance.noteForeign(context);
      if (!getType().isArray()) {
        return read;
      }
      // Not what was read: a field that is here may refer to the same array.
      T standIn = (T) Array.newInstance(getType().getComponentType(), 0);
      context.setReadRef(id, standIn);
      return standIn;
    }
  }

  /** The serializer of a class that is not allowed. */
  private final class Refusal<T> extends Serializer<T> {
    Refusal(Config config, Class<T> type) {
      super(config, type);
    }

    @Override
    public void write(WriteContext context, T value) {
      throw refused(getType());
    }

    @Override
    public T read(ReadContext context) {
      throw refused(getType());
    }
  }

  /** As {@link Refusal}, of a collection. */
  private final class CollectionRefusal<T> extends CollectionLikeSerializer<T> {
    CollectionRefusal(TypeResolver resolver, Class<T> type) {
      super(resolver, type, false);
    }

    @Override
    public Collection<?> onCollectionWrite(WriteContext context, T value) {
      throw refused(getType());
    }

    @Override
    public T read(ReadContext context) {
      throw refused(getType());
    }

    @Override
    @SuppressWarnings("rawtypes")
    public T onCollectionRead(Collection read) {
      throw refused(getType());
    }
  }

  /** As {@link Refusal}, of a map. */
  private final class MapRefusal<T> extends MapLikeSerializer<T> {
    MapRefusal(TypeResolver resolver, Class<T> type) {
      super(resolver, type, false);
    }

    @Override
    public Map<?, ?> onMapWrite(WriteContext context, T value) {
      throw refused(getType());
    }

    @Override
    public T read(ReadContext context) {
      throw refused(getType());
    }

    @Override
    @SuppressWarnings("rawtypes")
    public T onMapCopy(Map map) {
      throw refused(getType());
    }

    @Override
    @SuppressWarnings("rawtypes")
    public T onMapRead(Map read) {
      throw refused(getType());
    }
  }
}
