package io.rockpool.codec;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the codec of a type: the one that the application registered, else the library's own,
 * else the {@link Fallback}. Immutable and safe for use by many threads.
 *
 * <p>A codec encodes and decodes these classes: those that the declared type reaches through type
 * arguments, fields, components and permitted subclasses; the JDK's value and collection types; and
 * those that {@link Builder#allow} and {@link Builder#allowPackage} add. A store also allows every
 * other class that an application encodes, unless the class is known to be harmful. It keeps their
 * names in its {@link ClassCatalog}. With {@link Builder#strict}, or without a store, a class that
 * occurs only behind an interface or {@code Object} must be on the allow-list.
 */
public final class Codecs {
  private final RegisteredCodecs registered;
  private final AllowList allowList;
  private final Fallback fallback;
  private final ClassLoader loader;
  private final boolean strict;
  private final @Nullable ClassCatalog catalog;
  private final GrownClasses.Action grown;

  private Codecs(
      RegisteredCodecs registered,
      AllowList allowList,
      Fallback fallback,
      ClassLoader loader,
      boolean strict,
      @Nullable ClassCatalog catalog,
      GrownClasses.Action grown) {
    this.grown = grown;
    this.registered = registered;
    this.allowList = allowList;
    this.fallback = fallback;
    this.loader = loader;
    this.strict = strict;
    this.catalog = catalog;
  }

  /** {@return the codecs that {@code builder().build()} makes} */
  public static Codecs defaults() {
    return builder().build();
  }

  /** {@return a builder with nothing registered and an empty allow-list} */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Returns the same codecs with another class loader to find classes by the names in values.
   *
   * @param classLoader where to find them
   * @return new codecs; these stay as they are
   */
  public Codecs withClassLoader(ClassLoader classLoader) {
    Objects.requireNonNull(classLoader, "classLoader");
    return new Codecs(registered, allowList, fallback, classLoader, strict, catalog, grown);
  }

  /** {@return the class loader that finds classes by the names in values} */
  public ClassLoader classLoader() {
    return loader;
  }

  /**
   * Returns the same codecs with a catalog of classes. Encoding a class adds it to the catalog,
   * unless the class is known to be harmful. Classes in the catalog are decoded. A store does this
   * to all codecs that it uses.
   *
   * @param classes where the classes are kept
   * @return new codecs, or these if they are {@link Builder#strict} or have a catalog
   */
  public Codecs learningIn(ClassCatalog classes) {
    Objects.requireNonNull(classes, "classes");
    return strict || catalog != null
        ? this
        : new Codecs(registered, allowList, fallback, loader, strict, classes, grown);
  }

  /**
   * Returns the same codecs for values of a cache, which can load a value again. To them, a value
   * is undecodable if a class in it has a field that the value lacks, because the field was added
   * or renamed since; see {@link io.rockpool.cache.CacheSettings#evolve}. They log the first
   * undecodable value of each class. Registered codecs decide themselves what they can decode.
   * Codecs of keys stay as they are.
   *
   * @param evolves whether they read such a field as null or zero instead
   * @return new codecs; these stay as they are
   */
  public Codecs forCache(boolean evolves) {
    GrownClasses.Action action = evolves ? GrownClasses.Action.READ : GrownClasses.Action.MISS;
    return new Codecs(registered, allowList, fallback, loader, strict, catalog, action);
  }

  /**
   * Returns the codec of a type's values, without the tag that {@link #valueCodec} adds. For the
   * fallback it is a new instance each time, which callers should keep: it holds compiled
   * serializers.
   *
   * @param <T> the type of the values
   * @param type the type of the values
   * @return the codec
   * @throws IllegalArgumentException if the type has no codec; the message says why
   */
  public <T> Codec<T> codecFor(TypeRef<T> type) {
    return codecFor(type, new GrownClasses(grown));
  }

  @SuppressWarnings("unchecked")
  private <T> Codec<T> codecFor(TypeRef<T> type, GrownClasses logged) {
    Codec<?> codec = registered.of(Objects.requireNonNull(type, "type"));
    codec =
        codec == null
            ? BuiltInCodecs.value(type.rawType())
            : CheckedCodec.ofRegisteredValues(codec);
    if (codec == null) {
      Codec<T> last =
          fallbackFor(type, new AllowedClasses(type, allowList, loader, catalog, logged));
      codec = AnyCodec.isFor(type.rawType()) ? new AnyCodec<>(type, last, logged) : last;
    }
    return (Codec<T>) codec;
  }

  /**
   * Returns the codec whose bytes sort as the type's values do: for strings, numbers, byte arrays,
   * UUIDs, {@code java.time} types, enums, and records of these.
   *
   * @param <K> the type of the keys
   * @param type the type of the keys
   * @return the codec
   * @throws IllegalArgumentException if there is none; the message names the type and the component
   */
  public <K> OrderedCodec<K> orderedFor(TypeRef<K> type) {
    return new OrderedCodecs(registered).of(Objects.requireNonNull(type, "type"));
  }

  /**
   * Returns the codec of a type's values with one byte in front of them that says which codec wrote
   * them. Decoding what another codec wrote is an {@link
   * io.rockpool.error.UndecodableValueException} that names both.
   *
   * @param <V> the type of the values
   * @param type the type of the values
   * @return the codec
   * @throws IllegalArgumentException if the type has no codec; the message says why
   */
  public <V> Codec<V> valueCodec(TypeRef<V> type) {
    GrownClasses logged = new GrownClasses(grown);
    Codec<V> codec = codecFor(type, logged);
    return codec instanceof AnyCodec
        ? codec
        : new TaggedCodec<>(codec, ValueTag.of(codec.id()), logged);
  }

  /**
   * Returns the codec of a type's keys: the ordered one if there is one, else {@link KeyCodec},
   * whose bytes do not sort. Equal keys have equal bytes. The codec refuses an instance that cannot
   * guarantee this. Keys have no tag.
   *
   * @param <K> the type of the keys
   * @param type the type of the keys
   * @return the codec
   * @throws IllegalArgumentException if the type's keys would not come back as instances of it
   */
  public <K> Codec<K> keyCodec(TypeRef<K> type) {
    return keyCodec(type, false);
  }

  /**
   * Returns the codec of a type's keys in a cache. Unlike {@link #keyCodec}, it also writes
   * instances that only their own {@code equals} can compare; see {@link KeyCodec}.
   *
   * @param <K> the type of the keys
   * @param type the type of the keys
   * @return the codec
   * @throws IllegalArgumentException if the type's keys would not come back as instances of it
   */
  public <K> Codec<K> cacheKeyCodec(TypeRef<K> type) {
    return keyCodec(type, true);
  }

  /**
   * Returns a codec that throws an exception with the id and class of {@code codec} where that
   * returns null and, if it is one of values, where its {@code decode} throws another exception
   * than it may. One of keys that is the library's is returned as it is.
   *
   * @param <T> the type of the objects
   * @param codec the codec
   * @param ofValues whether it is one of a cache's values, not of keys; then the first undecodable
   *     value of each class is logged
   * @return the codec that checks
   */
  public static <T> Codec<T> checked(Codec<T> codec, boolean ofValues) {
    return ofValues ? CheckedCodec.ofCache(codec) : CheckedCodec.of(codec);
  }

  @SuppressWarnings("unchecked")
  private <K> Codec<K> keyCodec(TypeRef<K> type, boolean takesForeign) {
    Codec<?> codec = registered.of(Objects.requireNonNull(type, "type"));
    if (codec == null) {
      codec = new OrderedCodecs(registered).findExact(type);
    }
    if (codec == null && KeyScalars.of(type.rawType()) != null) {
      codec = BuiltInCodecs.value(type.rawType());
    }
    if (codec == null) {
      AllowedClasses allowed = AllowedClasses.ofKeys(type, allowList, loader, catalog, strict);
      ForeignObjects foreign = takesForeign ? foreign(allowed) : null;
      String id = KeyStructure.idOf(type, registered);
      codec = new KeyCodec<>(type, id, new KeyClasses(registered, allowed, foreign));
    }
    return (Codec<K>) codec;
  }

  private ForeignObjects foreign(AllowedClasses allowed) {
    TypeRef<Object> any = TypeRef.of(Object.class);
    return new ForeignObjects(
        new JavaSerializationCodec<>(any, allowed),
        fallback == Fallback.FORY
            ? new ForyCodec<>(any, false, ForyRuntime.forValues(allowed))
            : null);
  }

  private <T> Codec<T> fallbackFor(TypeRef<T> type, AllowedClasses allowed) {
    if (fallback == Fallback.JAVA_SERIALIZATION) {
      return new JavaSerializationCodec<>(type, allowed);
    }
    boolean immutable = Immutability.of(type.type(), BuiltInCodecs::isImmutable);
    return new ForyCodec<>(type, immutable, ForyRuntime.forValues(allowed));
  }

  /** Collects what {@link Codecs} needs. Not safe for use by many threads. */
  public static final class Builder {
    private final Map<TypeRef<?>, Codec<?>> registered = new HashMap<>();
    private final Set<String> classes = new HashSet<>();
    private final Set<String> packages = new HashSet<>();
    private Fallback fallback = Fallback.FORY;
    private @Nullable ClassLoader loader;
    private boolean strict;
    private GrownClasses.Action grown = GrownClasses.Action.WARN;

    private Builder() {}

    /**
     * Allows instances of these classes in every value; not their subclasses.
     *
     * @param types the classes; only their names are kept
     * @return this builder
     */
    public Builder allow(Class<?>... types) {
      for (Class<?> type : types) {
        classes.add(type.getName());
      }
      return this;
    }

    /**
     * Allows instances of all classes in a package and in those below it, in every value.
     *
     * @param name the package's name, such as {@code com.acme}
     * @return this builder
     */
    public Builder allowPackage(String name) {
      packages.add(Objects.requireNonNull(name, "name"));
      return this;
    }

    /**
     * Registers the codec of a class, as {@link #register(TypeRef, Codec)} does.
     *
     * @param <T> the type
     * @param type its class
     * @return this builder
     * @throws IllegalArgumentException if the codec's id is one of the library's
     */
    public <T> Builder register(Class<T> type, Codec<T> codec) {
      return register(TypeRef.of(type), codec);
    }

    /**
     * Registers the codec of a type with exactly these type arguments. It is used where the type
     * itself is declared, in keys, and for components of ordered keys. It is not used inside values
     * that the fallback encodes.
     *
     * @param <T> the type
     * @return this builder
     * @throws IllegalArgumentException if the codec's id is one of the library's
     */
    public <T> Builder register(TypeRef<T> type, Codec<T> codec) {
      ValueTag.refuseReservedId(codec);
      registered.put(Objects.requireNonNull(type, "type"), CheckedCodec.of(codec));
      return this;
    }

    /**
     * Sets the codec for types that have none; {@link Fallback#FORY} is the default.
     *
     * @param choice the fallback
     * @return this builder
     */
    public Builder fallback(Fallback choice) {
      this.fallback = Objects.requireNonNull(choice, "choice");
      return this;
    }

    /**
     * Encodes and decodes only classes that are declared or allowed, in values and in keys. A store
     * does not learn other classes.
     *
     * @return this builder
     */
    public Builder strict() {
      this.strict = true;
      return this;
    }

    /**
     * Sets the class loader for names of classes in stored values. The default is the context class
     * loader of the thread that calls {@link #build}, or the library's class loader if the thread
     * has none.
     *
     * @return this builder
     */
    public Builder classLoader(ClassLoader classLoader) {
      this.loader = Objects.requireNonNull(classLoader, "classLoader");
      return this;
    }

    /**
     * Sets what a read does with a value of a class that has a field which the value lacks, because
     * the field was added or renamed since. With true, the default, such a field is null or zero,
     * and the first value of each class is logged as a warning. With false, the value is
     * undecodable, and the exception names the class and the field. Fields that are gone or have
     * another order are no difference. For values of collections, queues, feeds and {@code once};
     * caches have an option of their own, {@link io.rockpool.cache.CacheSettings#evolve}.
     *
     * @return this builder
     */
    public Builder evolve(boolean evolves) {
      this.grown = evolves ? GrownClasses.Action.WARN : GrownClasses.Action.REFUSE;
      return this;
    }

    /** {@return the codecs, which later changes of this builder do not reach} */
    public Codecs build() {
      ClassLoader found = loader != null ? loader : Thread.currentThread().getContextClassLoader();
      return new Codecs(
          new RegisteredCodecs(registered),
          new AllowList(classes, packages),
          fallback,
          found != null ? found : Codecs.class.getClassLoader(),
          strict,
          null,
          grown);
    }
  }
}
