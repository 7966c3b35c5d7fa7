package io.rockpool.internal.queue;

import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Capability;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RecordChecks.Problems;
import io.rockpool.engine.RecordChecks.RecordCheck;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceName;
import io.rockpool.error.NameConflictException;
import io.rockpool.internal.catalog.Catalog;
import io.rockpool.internal.catalog.Entry;
import io.rockpool.internal.catalog.HandleLoader;
import io.rockpool.internal.catalog.Identity;
import io.rockpool.internal.catalog.NameHolder;
import io.rockpool.internal.concurrent.Durations;
import io.rockpool.internal.format.QueueHead;
import io.rockpool.internal.format.QueueKeyFormat;
import io.rockpool.internal.format.QueueMessage;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.PersistentTimer;
import io.rockpool.queue.QueueOptions;
import io.rockpool.queue.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The open queues of one store. Opening a name again returns the same object. Writes to {@code
 * open} hold the catalog's lock; reads do not.
 */
public final class Queues implements NameHolder {
  /** The type of a queue's name in the catalog. */
  private static final String QUEUE = "queue";

  /** The type of a timer's name in the catalog. */
  private static final String TIMER = "timer";

  private final Engine engine;
  private final Catalog catalog;
  private final Codecs codecs;
  private final Map<String, Open> open;

  /** The loader of classes that the types do not name; null for the store's. */
  private final @Nullable ClassLoader loader;

  private record Open(
      String kind,
      TypeRef<?> type,
      @Nullable ClassLoader loader,
      QueueOptions options,
      Codec<?> codec,
      StoredQueue<?> queue) {
    QueueSpace space() {
      return queue.store().space();
    }
  }

  /** Registers with {@code catalog}; no queue is open yet. */
  public Queues(Engine engine, Catalog catalog, Codecs codecs) {
    this(engine, catalog, codecs, new ConcurrentHashMap<>(), null);
    catalog.register(this);
  }

  private Queues(
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

  /**
   * Returns the same queues for an application with its own class loader. Where a type does not
   * name the classes of messages, a queue that is open with another loader is refused.
   */
  public Queues in(ClassLoader application) {
    return new Queues(engine, catalog, codecs.withClassLoader(application), open, application);
  }

  /** Whether a type in the catalog is kept here. */
  public static boolean isType(String type) {
    return type.equals(QUEUE) || type.equals(TIMER);
  }

  /**
   * Opens or creates a timer. Otherwise like {@link #open}.
   *
   * @param schedule when it fires from now on
   */
  public <T> PersistentTimer<T> schedule(
      String name, TypeRef<T> type, Schedule schedule, @Nullable QueueOptions options) {
    return new StoredTimer<>(openStored(TIMER, name, type, options), schedule);
  }

  /**
   * Opens or creates a queue, and that of its dead letters. If it is already open with the same
   * type, returns that object.
   *
   * @param options null for none; options that are not set have the values of the open queue, or
   *     those that are kept with the name, or the defaults
   * @throws IllegalStateException if it is open with other options or another type
   * @throws NameConflictException if the name holds something else
   */
  public <T> PersistentQueue<T> open(String name, TypeRef<T> type, @Nullable QueueOptions options) {
    return openStored(QUEUE, name, type, options);
  }

  private <T> StoredQueue<T> openStored(
      String kind, String name, TypeRef<T> type, @Nullable QueueOptions options) {
    SpaceName.check(name);
    QueueOptions chosen = options == null ? QueueOptions.defaults() : options;
    catalog.loseEnded(name);
    StoredQueue<T> there = find(kind, name, type, chosen);
    if (there != null) {
      return there;
    }
    Codec<T> codec = Objects.requireNonNullElse(chosen.codecs(), codecs).valueCodec(type);
    DeadQueue<T> dead = openDead(kind, name, type, chosen);
    return catalog.locked(
        () -> {
          StoredQueue<T> opened = find(kind, name, type, chosen);
          return opened == null ? make(kind, name, type, codec, chosen, dead) : opened;
        });
  }

  private @Nullable ClassLoader loaderOf(TypeRef<?> type, QueueOptions chosen) {
    return chosen.codecs() == null ? HandleLoader.of(loader, List.of(type)) : null;
  }

  private <T> @Nullable StoredQueue<T> find(
      String kind, String name, TypeRef<T> type, QueueOptions chosen) {
    Open there = open.get(name);
    if (there == null) {
      return null;
    }
    if (!there.kind().equals(kind)) {
      throw new NameConflictException(
          there.space()
              + " is a "
              + there.kind()
              + ", and was opened as a "
              + kind
              + ". Open it as what it is, or drop it.",
          name);
    }
    List<String> differences = QueueAttributes.differences(chosen, there.options());
    boolean isOfSameName = there.type().toString().equals(type.toString());
    if (!there.type().equals(type)
        || !differences.isEmpty()
        || !Objects.equals(there.loader(), loaderOf(type, chosen))) {
      String with =
          !isOfSameName
              ? "messages of type " + there.type() + ". Open it with the same."
              : differences.isEmpty()
                  ? HandleLoader.REFUSAL
                  : "other options: "
                      + String.join("; ", differences)
                      + ". Open it with the same, or leave them unset.";
      throw new IllegalStateException(there.space() + " is already open with " + with);
    }
    @SuppressWarnings("unchecked") // the same type makes the same queue
    StoredQueue<T> queue = (StoredQueue<T>) there.queue();
    return queue;
  }

  private <T> @Nullable DeadQueue<T> openDead(
      String kind, String name, TypeRef<T> type, QueueOptions chosen) {
    Entry entry = catalog.find(name);
    Map<String, String> kept =
        entry == null || !entry.identity().type().equals(kind) ? Map.of() : entry.options();
    QueueOptions all = QueueAttributes.complete(chosen, kept);
    String dead = all.deadLetters();
    if (dead == null && all.maxDeliveries() != null) {
      throw new IllegalArgumentException(
          "The queue \""
              + name
              + "\" was given a maximum number of deliveries and no dead letters, which would lose"
              + " messages. Name a queue of dead letters.");
    }
    if (dead == null && all.deadLetterRetention() != null) {
      throw new IllegalArgumentException(
          "The queue \""
              + name
              + "\" was given a retention of dead letters and no dead letters. Name a queue of dead"
              + " letters.");
    }
    if (dead == null) {
      return null;
    }
    if (dead.equals(name)) {
      throw new IllegalArgumentException(
          "The queue \"" + name + "\" cannot keep its own dead letters; name another.");
    }
    engine.require(Capability.MULTI_ROW_TRANSACTIONS);
    QueueOptions codecsOnly =
        chosen.codecs() == null ? null : QueueOptions.defaults().codecs(chosen.codecs());
    Supplier<StoredQueue<T>> opener = () -> openStored(QUEUE, dead, type, codecsOnly);
    return new DeadQueue<>(opener.get(), opener);
  }

  private <T> StoredQueue<T> make(
      String kind,
      String name,
      TypeRef<T> type,
      Codec<T> codec,
      QueueOptions chosen,
      @Nullable DeadQueue<T> dead) {
    Catalog.Opened opened =
        catalog.open(
            name,
            new Identity(kind, type.toString(), codec.id(), null, null),
            Layout.ROWS,
            false,
            kept -> QueueAttributes.of(QueueAttributes.complete(chosen, kept)));
    QueueOptions all = QueueAttributes.complete(chosen, opened.kept());
    Space space =
        all.durability() == null ? opened.space() : opened.space().withDurability(all.durability());
    QueueSpace queueSpace = new QueueSpace(engine, space, catalog::isFeedLost);
    QueueStore store = new QueueStore(queueSpace, settings(all), owner(), dead);
    StoredQueue<T> queue = new StoredQueue<>(store, new MessageCodec<>(queueSpace, codec), dead);
    open.put(name, new Open(kind, type, loaderOf(type, chosen), all, codec, queue));
    return queue;
  }

  private long owner() {
    return engine.capabilities().contains(Capability.SHARED)
        ? 0
        : ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
  }

  private static QueueStore.Settings settings(QueueOptions options) {
    Duration timeout =
        Objects.requireNonNullElse(
            options.visibilityTimeout(), QueueOptions.DEFAULT_VISIBILITY_TIMEOUT);
    return new QueueStore.Settings(
        Durations.millis(timeout),
        Objects.requireNonNullElse(options.maxDeliveries(), Integer.MAX_VALUE),
        options.deadLetterRetention(),
        Objects.requireNonNullElse(options.backoff(), QueueOptions.DEFAULT_BACKOFF),
        Objects.requireNonNullElse(options.maxSize(), Long.MAX_VALUE));
  }

  /** The open queues by name, also those of timers and of dead letters. */
  public SortedMap<String, PersistentQueue<?>> all() {
    SortedMap<String, PersistentQueue<?>> all = new TreeMap<>();
    open.forEach((name, there) -> all.put(name, there.queue()));
    return all;
  }

  /** When each open timer fires next; without those that do not. */
  public Map<String, Instant> nextFirings() {
    Map<String, Instant> next = new HashMap<>();
    open.forEach(
        (name, there) -> {
          if (there.kind().equals(TIMER)) {
            StoredTimer.next(there.space()).ifPresent(instant -> next.put(name, instant));
          }
        });
    return next;
  }

  /**
   * The number of messages of an open queue; empty if it is not open, and inside a transaction
   * (reading would lock the queue). One read.
   */
  public OptionalLong count(String name) {
    Open there = open.get(name);
    if (there == null || engine.inTransaction()) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(there.queue().size());
    } catch (IllegalStateException e) {
      if (there.space().isClosed()) {
        return OptionalLong.empty();
      }
      throw e;
    }
  }

  /**
   * Creates the check of a queue's records. The queue need not be open.
   *
   * @param decode whether to also decode its messages, if it is open
   */
  public RecordCheck check(String name, Problems problems, boolean decode) {
    Open there = decode ? open.get(name) : null;
    return new QueueCheck(there == null ? null : there.codec(), problems);
  }

  /**
   * Sends messages again in a queue that is not open.
   *
   * @param messages the records of messages; others are ignored
   */
  public void sendAgain(Space space, List<RowRecord> messages) {
    space.transact(
        QueueSpace.ROW,
        row -> {
          QueueRow queue = new QueueRow(row, 0, QueueHead.NEW);
          for (RowRecord record : messages) {
            byte[] key = record.sortKey();
            if (key.length == 0
                || key[0] > QueueKeyFormat.GROUPED
                || QueueMessage.turnOf(record.value()) != null) {
              continue;
            }
            byte[] group = QueueKeyFormat.isGrouped(key) ? QueueKeyFormat.groupOf(key) : null;
            long unused =
                queue.send(
                    new QueueRow.Outgoing(
                        record.value(),
                        QueueKeyFormat.MAX_PRIORITY - QueueKeyFormat.laneOf(key),
                        0,
                        group,
                        null,
                        0,
                        record.expiryMillis()));
          }
          return queue.save();
        });
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

  /** Closes all queues: every later use throws. */
  public void close() {
    catalog.locked(
        () -> {
          openNames().forEach(name -> lose(name, QueueSpace.WITH_STORE));
          return open;
        });
  }
}
