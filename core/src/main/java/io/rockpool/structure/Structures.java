package io.rockpool.structure;

import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.OrderedCodec;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RecordChecks.Problems;
import io.rockpool.engine.RecordChecks.RecordCheck;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.SpaceView;
import io.rockpool.error.NameConflictException;
import io.rockpool.internal.access.structure.StoreStructures;
import io.rockpool.internal.catalog.Catalog;
import io.rockpool.internal.catalog.Entry;
import io.rockpool.internal.catalog.HandleLoader;
import io.rockpool.internal.catalog.Identity;
import io.rockpool.internal.catalog.NameHolder;
import io.rockpool.internal.engine.EngineUpkeep;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The open structures of one store. Opening a name again returns the same object. Writes to {@code
 * open} hold the catalog's lock; reads do not.
 */
final class Structures implements NameHolder, StoreStructures {
  private static final String MAP = "map";
  private static final String SORTED_MAP = "sorted map";
  private static final String SORTED_SET = "sorted set";
  private static final String TABLE = "table";
  static final String SCORED_SET = "scored set";
  private static final String SET = "set";
  private static final String VALUE = "value";
  private static final String COUNTER = "counter";
  static final String DEQUE = "deque";

  private final Engine engine;
  private final Catalog catalog;
  private final Codecs codecs;
  private final Map<String, Open> open;

  /** The loader of classes that the types do not name; null for the store's. */
  private final @Nullable ClassLoader loader;

  /**
   * The arguments of an opening. Equal requests return the same object.
   *
   * @param loader the loader of classes that the types do not name; null for the store's
   */
  private record Request(
      String type, String name, List<TypeRef<?>> types, @Nullable ClassLoader loader) {
    Request(String type, String name, List<TypeRef<?>> types) {
      this(type, name, types, null);
    }

    Request in(@Nullable ClassLoader application) {
      return new Request(type, name, types, HandleLoader.of(application, types));
    }
  }

  private record Open(
      Request request,
      Identity identity,
      Decoding decoding,
      StructureOptions options,
      StructureSpace space,
      PersistentStructure structure) {}

  /**
   * How to make a structure that is not open yet.
   *
   * @param identity the identity that an existing descriptor must equal
   * @param shape the layout of the records of a new structure; its descriptor keeps it permanently
   * @param decoding decodes its elements
   * @param make makes the structure from its space
   */
  private record Plan<S extends PersistentStructure>(
      Identity identity,
      Map<String, String> shape,
      Decoding decoding,
      Function<StructureSpace, S> make) {}

  /** Registers with {@code catalog} and {@code engine}; no structure is open yet. */
  Structures(Engine engine, Catalog catalog, Codecs codecs) {
    this(engine, catalog, codecs, new ConcurrentHashMap<>(), null);
    catalog.register(this);
    EngineUpkeep.of(engine).whenReclaiming(() -> ScoredSweep.all(engine, catalog));
  }

  private Structures(
      Engine engine,
      Catalog catalog,
      Codecs codecs,
      Map<String, Open> open,
      @Nullable ClassLoader loader) {
    this.engine = engine;
    this.catalog = catalog;
    this.codecs = codecs;
    this.open = open;
    this.loader = loader;
  }

  @Override
  public StoreStructures in(ClassLoader application) {
    return new Structures(engine, catalog, codecs.withClassLoader(application), open, application);
  }

  @Override
  public <K, V> PersistentMap<K, V> map(
      String name, TypeRef<K> keyType, TypeRef<V> valueType, @Nullable StructureOptions options) {
    return open(
        new Request(MAP, name, List.of(keyType, valueType)),
        options,
        () -> {
          Codecs mine = codecs(options);
          Codec<K> keys = mine.keyCodec(keyType);
          Codec<V> values = mine.valueCodec(valueType);
          return new Plan<>(
              identity(MAP, keyType, keys, valueType, values),
              Buckets.SPREAD_SHAPE,
              Decoding.of(keys, values),
              space ->
                  new PersistentMap<>(
                      new EntryCodec<>(space, keyType, keys, valueType, values),
                      new Records(space)));
        });
  }

  @Override
  public <K, V> PersistentSortedMap<K, V> sortedMap(
      String name, TypeRef<K> keyType, TypeRef<V> valueType, @Nullable StructureOptions options) {
    return open(
        new Request(SORTED_MAP, name, List.of(keyType, valueType)),
        options,
        () -> {
          Codecs mine = codecs(options);
          OrderedCodec<K> keys = mine.orderedFor(keyType);
          Codec<V> values = mine.valueCodec(valueType);
          return new Plan<>(
              identity(SORTED_MAP, keyType, keys, valueType, values),
              Buckets.ONE_ROW_SHAPE,
              Decoding.of(keys, values),
              space ->
                  new PersistentSortedMap<>(
                      EntryRange.live(
                          new SortedCodec<>(space, keyType, keys, valueType, values),
                          new Records(space))));
        });
  }

  @Override
  public <E> PersistentScoredSet<E> scoredSet(
      String name, TypeRef<E> type, @Nullable StructureOptions options) {
    return open(
        new Request(SCORED_SET, name, List.of(type)),
        options,
        () -> {
          Codec<E> elements = codecs(options).keyCodec(type);
          Boolean ranked = options == null ? null : options.ranked();
          return new Plan<>(
              identity(SCORED_SET, type, elements),
              ScoredShape.of(ranked),
              Decoding.ofMembers(elements),
              space ->
                  PersistentScoredSet.of(
                      EntryCodec.ofScores(space, type, elements),
                      Buckets.of(space.shape()).rows().get(0),
                      ScoredShape.isRanked(space.shape())));
        });
  }

  @Override
  public <E> PersistentSet<E> set(
      String name, TypeRef<E> elementType, @Nullable StructureOptions options) {
    return open(
        new Request(SET, name, List.of(elementType)),
        options,
        () -> {
          Codec<E> elements = codecs(options).keyCodec(elementType);
          return new Plan<>(
              identity(SET, elementType, elements),
              Buckets.SPREAD_SHAPE,
              Decoding.of(elements, NoContent.CODEC),
              space ->
                  new PersistentSet<>(
                      new EntryCodec<>(
                          space, elementType, elements, NoContent.TYPE, NoContent.CODEC),
                      new Records(space)));
        });
  }

  @Override
  public <E> PersistentSortedSet<E> sortedSet(
      String name, TypeRef<E> elementType, @Nullable StructureOptions options) {
    return open(
        new Request(SORTED_SET, name, List.of(elementType)),
        options,
        () -> {
          OrderedCodec<E> elements = codecs(options).orderedFor(elementType);
          return new Plan<>(
              identity(SORTED_SET, elementType, elements),
              Buckets.ONE_ROW_SHAPE,
              Decoding.of(elements, NoContent.CODEC),
              space ->
                  new PersistentSortedSet<>(
                      EntryRange.live(
                          new SortedCodec<>(
                              space, elementType, elements, NoContent.TYPE, NoContent.CODEC),
                          new Records(space))));
        });
  }

  @Override
  public <H, S, V> PersistentTable<H, S, V> table(
      String name,
      TypeRef<H> hashKeyType,
      TypeRef<S> sortKeyType,
      TypeRef<V> valueType,
      @Nullable StructureOptions options) {
    return open(
        new Request(TABLE, name, List.of(hashKeyType, sortKeyType, valueType)),
        options,
        () -> {
          Codecs mine = codecs(options);
          Codec<H> hashKeys = mine.keyCodec(hashKeyType);
          OrderedCodec<S> sortKeys = mine.orderedFor(sortKeyType);
          Codec<V> values = mine.valueCodec(valueType);
          return new Plan<>(
              new Identity(
                  TABLE,
                  hashKeyType + "/" + sortKeyType,
                  hashKeys.id() + "/" + sortKeys.id(),
                  valueType.toString(),
                  values.id()),
              Buckets.ONE_ROW_SHAPE,
              Decoding.ofTable(hashKeys, sortKeys, values),
              space ->
                  new PersistentTable<>(
                      new TableCodec<>(
                          hashKeys,
                          new SortedCodec<>(space, sortKeyType, sortKeys, valueType, values))));
        });
  }

  @Override
  public <T> PersistentValue<T> value(
      String name, TypeRef<T> type, @Nullable StructureOptions options) {
    return open(
        new Request(VALUE, name, List.of(type)),
        options,
        () -> {
          Codec<T> values = codecs(options).valueCodec(type);
          return new Plan<>(
              identity(VALUE, type, values),
              Buckets.ONE_ROW_SHAPE,
              Decoding.of(NoContent.CODEC, values),
              space -> new PersistentValue<>(ofOne(space, type, values), new Records(space)));
        });
  }

  @Override
  public PersistentCounter counter(String name, @Nullable StructureOptions options) {
    TypeRef<Long> type = TypeRef.of(Long.class);
    return open(
        new Request(COUNTER, name, List.of(type)),
        options,
        () -> {
          Codec<Long> values = codecs(options).valueCodec(type);
          return new Plan<>(
              identity(COUNTER, type, values),
              Buckets.ONE_ROW_SHAPE,
              Decoding.of(NoContent.CODEC, values),
              space -> new PersistentCounter(ofOne(space, type, values), new Records(space)));
        });
  }

  private static <T> EntryCodec<NoContent, T> ofOne(
      StructureSpace space, TypeRef<T> type, Codec<T> values) {
    return new EntryCodec<>(space, NoContent.TYPE, NoContent.CODEC, type, values);
  }

  @Override
  public <E> PersistentDeque<E> deque(
      String name, TypeRef<E> elementType, @Nullable StructureOptions options) {
    return open(
        new Request(DEQUE, name, List.of(elementType)),
        options,
        () -> {
          Codec<E> elements = codecs(options).valueCodec(elementType);
          return new Plan<>(
              identity(DEQUE, elementType, elements),
              Buckets.ONE_ROW_SHAPE,
              Decoding.ofValues(elements),
              space ->
                  new PersistentDeque<>(
                      new DequeStore<>(
                          space,
                          new ElementCodec<>(space, elementType, elements),
                          space.options().capacity())));
        });
  }

  /**
   * Opens or creates a structure. If it is already open with the same types, returns that object.
   *
   * @param options null for none; options that are not set have the values of the open structure,
   *     or those that are kept with the name, or the defaults
   * @throws IllegalStateException if it is open with other options, or with classes from another
   *     class loader
   * @throws NameConflictException if the name holds something else, unless the options ask for a
   *     reset
   */
  private <S extends PersistentStructure> S open(
      Request asked, @Nullable StructureOptions options, Supplier<Plan<S>> planner) {
    Request request = options == null || options.codecs() == null ? asked.in(loader) : asked;
    String name = SpaceName.check(request.name());
    if (options != null) {
      StructureAttributes.refuseOthers(label(request), request.type(), options);
    }
    Plan<S> plan = null;
    while (true) {
      catalog.loseEnded(name);
      Open there = open.get(name);
      if (there != null && there.request().equals(request)) {
        List<String> differences =
            options == null ? List.of() : options.differencesFrom(there.options());
        if (!differences.isEmpty()) {
          throw alreadyOpen(
              there,
              "other options: "
                  + String.join("; ", differences)
                  + ". Open it with the same, or leave them unset.");
        }
        @SuppressWarnings("unchecked") // the same request makes the same type
        S structure = (S) there.structure();
        return structure;
      }
      if (plan == null) {
        plan = planner.get(); // outside the lock: user codecs may be slow to create
      }
      if (there != null && there.identity().equals(plan.identity())) {
        throw alreadyOpen(there, HandleLoader.REFUSAL);
      }
      S made = make(request, plan, options, there);
      if (made != null) {
        return made;
      }
    }
  }

  /**
   * Creates a structure. Returns null if the open structure of its name is no longer {@code
   * before}.
   */
  @SuppressWarnings("ReferenceEquality") // compares the entry itself
  private <S extends PersistentStructure> @Nullable S make(
      Request request, Plan<S> plan, @Nullable StructureOptions options, @Nullable Open before) {
    StructureOptions chosen = options == null ? StructureOptions.defaults() : options;
    return catalog.<@Nullable S>locked(
        () -> {
          if (open.get(request.name()) != before) {
            return null;
          }
          StructureSpace space = space(request, plan, chosen);
          S made = plan.make().apply(space);
          open.put(
              request.name(),
              new Open(request, plan.identity(), plan.decoding(), space.options(), space, made));
          return made;
        });
  }

  /** The type and name, as the start of a sentence. */
  private static String label(Request request) {
    return "The " + request.type() + " \"" + request.name() + "\"";
  }

  private static IllegalStateException alreadyOpen(Open there, String with) {
    return new IllegalStateException(there.space() + " is already open with " + with);
  }

  private StructureSpace space(Request request, Plan<?> plan, StructureOptions options) {
    String label = label(request);
    catalog.requireChanges(options.changes());
    Catalog.Opened opened =
        catalog.open(
            request.name(),
            plan.identity(),
            Layout.ROWS,
            options.onConflict() == StructureOptions.OnConflict.RESET,
            kept -> StructureAttributes.shape(label, options, plan.shape(), kept));
    Map<String, String> shape =
        StructureAttributes.shape(label, options, plan.shape(), opened.kept());
    StructureOptions all = StructureAttributes.complete(label, options, shape);
    Catalog.Logged logged = catalog.logged(opened.space(), options.changes());
    if (logged.options() != null) {
      all = all.changes(logged.options());
    }
    return new StructureSpace(
        request.type(), logged.space(), shape, engine, all, catalog::isFeedLost);
  }

  private Codecs codecs(@Nullable StructureOptions options) {
    return options == null ? codecs : Objects.requireNonNullElse(options.codecs(), codecs);
  }

  private static Identity identity(
      String type, TypeRef<?> keyType, Codec<?> keys, TypeRef<?> valueType, Codec<?> values) {
    return new Identity(type, keyType.toString(), keys.id(), valueType.toString(), values.id());
  }

  private static Identity identity(String type, TypeRef<?> elementType, Codec<?> elements) {
    return new Identity(type, elementType.toString(), elements.id(), null, null);
  }

  @Override
  public void addMembers(Space space, boolean ranked, List<RowRecord> members) {
    ScoredRow.add(space, ranked, members);
  }

  @Override
  public OptionalLong count(String name) {
    Open there = open.get(name);
    if (there == null || there.request().type().equals(TABLE)) {
      return OptionalLong.empty();
    }
    OptionalLong count = there.space().count();
    return there.structure() instanceof SingleEntry<?> one && count.orElse(0) > 0
        ? OptionalLong.of(one.reads.contains(NoContent.HERE) ? 1 : 0)
        : count;
  }

  @Override
  public long expiryMillis(Entry entry) {
    String type = entry.identity().type();
    if (!type.equals(VALUE) && !type.equals(COUNTER)) {
      return entry.space().expiresMillis();
    }
    Space space =
        engine.inTransaction() ? null : EngineUpkeep.of(engine).openForUpkeep(entry.space().name());
    try {
      RowRecord only =
          space == null
              ? null
              : space.get(
                  Buckets.of(entry.options()).rows().get(0),
                  NoContent.CODEC.encode(NoContent.HERE));
      return only == null ? Expiry.NEVER : only.expiryMillis();
    } catch (IllegalStateException e) {
      if (entry.equals(catalog.find(entry.space().name()))) {
        throw e;
      }
      return Expiry.NEVER; // the name was dropped or reset since
    }
  }

  @Override
  public @Nullable RecordCheck check(
      Entry entry, SpaceView view, Problems problems, boolean decode) {
    Decoding decoding = decode ? decodingOf(entry) : Decoding.NONE;
    return switch (entry.identity().type()) {
      case MAP, SORTED_MAP -> ElementCheck.ofBuckets(entry.options(), decoding);
      case SET, SORTED_SET -> ElementCheck.ofElements(entry.options(), decoding);
      case VALUE, COUNTER -> ElementCheck.ofOne(decoding);
      case TABLE -> ElementCheck.ofTable(decoding);
      case DEQUE -> new DequeCheck(problems, decoding, engine.clock());
      case SCORED_SET ->
          new ScoredSetCheck(view, problems, decoding, ScoredShape.isRanked(entry.options()));
      default -> null;
    };
  }

  private Decoding decodingOf(Entry entry) {
    Open there = open.get(entry.space().name());
    return there == null || !there.identity().equals(entry.identity())
        ? Decoding.NONE
        : there.decoding();
  }

  @Override
  public Set<String> openNames() {
    return Set.copyOf(open.keySet());
  }

  @Override
  public @Nullable Space openSpace(String name) {
    Open there = open.get(name);
    return there == null ? null : there.space().space();
  }

  @Override
  public void spaceChanged(String name) {
    Open there = open.get(name);
    if (there != null) {
      there.space().wake();
    }
  }

  @Override
  public void lose(String name, String why) {
    Open lost = open.remove(name);
    if (lost != null) {
      lost.space().close(why);
    }
  }

  @Override
  public void close() {
    catalog.locked(
        () -> {
          openNames().forEach(name -> lose(name, "is closed: its store is."));
          return open;
        });
  }
}
