package io.rockpool.testing;

import io.rockpool.Rockpool;
import io.rockpool.StoreBackups;
import io.rockpool.StoreNames;
import io.rockpool.StoreState;
import io.rockpool.cache.PersistentCache;
import io.rockpool.change.ChangeFeed;
import io.rockpool.change.ChangeOptions;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.PersistentTimer;
import io.rockpool.queue.Schedule;
import io.rockpool.store.Durability;
import io.rockpool.store.VerifyOptions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Every public operation of a store and its handles, found by reflection, with one list of
 * arguments from {@link CallArguments}. An operation with an argument that is not in that table
 * fails, and so does a new kind of handle.
 */
public final class EveryCall {
  /** These end what others use, so they are called after them. */
  private static final Set<String> LAST = Set.of("dropAll", "dropLevel");

  /** These ask no server, or only once their result is used. */
  private static final Set<String> LOCAL =
      Set.of(
          ("name isClosed toString directory names state backups flush statistics countedSize"
                  + " hotMemory hotSize writeBehind onExpired onRefreshed addListener equals"
                  + " comparator isRanked visibilityTimeout publisher deadLetters firings asMap"
                  + " keySet keys values entrySet stream streams parallelStream iterator"
                  + " spliterator descendingIterator descendingKeySet descendingMap"
                  + " descendingSet navigableKeySet headMap subMap tailMap headSet subSet tailSet"
                  + " difference row rowKeys when")
              .split(" "));

  /** With no deliveries, and for no occurrences, there is nothing to ask for. */
  private static final Set<String> OF_NOTHING = Set.of("acknowledgeAll", "removeOccurrences");

  /** What a call may throw whatever its server does: an argument does not fit, or it is empty. */
  private static final List<Class<?>> OWN_REFUSALS =
      List.of(
          UnsupportedOperationException.class,
          IllegalArgumentException.class,
          IllegalStateException.class,
          NoSuchElementException.class,
          IndexOutOfBoundsException.class);

  /** How long all operations may take; one that is not done then is late. */
  private static final Duration ALL = Duration.ofMinutes(4);

  private final Map<Class<?>, Object> handles = new LinkedHashMap<>();
  private final Map<Class<?>, CallArguments> arguments = new LinkedHashMap<>();

  /**
   * What an operation did.
   *
   * @param thrown what it threw, if it did
   * @param millis how long it took
   */
  public record Outcome(@Nullable Throwable thrown, long millis) {
    /** What is wrong, or an empty text. */
    private String problem(String name, Duration limit, boolean isAway) {
      if (thrown instanceof TimeoutException || millis > limit.toMillis()) {
        return name + " took " + millis + " ms: " + thrown;
      }
      if (thrown == null) {
        String method = name.replaceAll("^\\w+\\.|\\[.*", "");
        boolean isLocal =
            LOCAL.contains(method) || name.startsWith("StoreState.") || OF_NOTHING.contains(method);
        return isAway && !isLocal ? name + " answered without its server" : "";
      }
      boolean isSaid =
          thrown instanceof RockpoolException
              ? !isAway
                  || thrown instanceof ServerUnavailableException
                  || thrown instanceof OutcomeUnknownException
              : OWN_REFUSALS.stream().anyMatch(kind -> kind.isInstance(thrown));
      return isSaid && !String.valueOf(thrown.getMessage()).isBlank() ? "" : name + ": " + thrown;
    }
  }

  /** The operations of a store on an engine for caches. */
  public static EveryCall ofCaches(Rockpool pool) {
    EveryCall calls = new EveryCall();
    calls.addStore(pool);
    return calls;
  }

  /** The operations of a store on an engine for caches and collections. */
  public static EveryCall of(Rockpool pool) {
    EveryCall calls = ofCaches(pool);
    calls.addMaps(pool);
    calls.addElements(pool);
    calls.addQueues(pool);
    calls.checkHandles();
    return calls;
  }

  private void addStore(Rockpool pool) {
    AtomicInteger next = new AtomicInteger();
    CallArguments any =
        new CallArguments()
            .per("String", () -> "new-" + next.incrementAndGet())
            .put("Class", String.class)
            .put("TypeRef", TypeRef.of(String.class))
            .put("UnaryOperator", UnaryOperator.identity())
            .put("Function", (Function<Object, Object>) given -> pool.names().list())
            .put("Supplier", (Supplier<Object>) () -> pool.names().list())
            .put("Runnable", (Runnable) () -> pool.names().list())
            .put("Consumer", (Consumer<Object>) given -> pool.names().list())
            .put("Schedule", Schedule.rate(Duration.ofHours(1)))
            .put("Durability", Durability.SYNC)
            .put("VerifyOptions", VerifyOptions.defaults());
    add(Rockpool.class, pool, any);
    add(StoreNames.class, pool.names(), any);
    add(StoreState.class, pool.state(), any);
    CallArguments ofEntries =
        new CallArguments().ofMaps().keys("E").put("Collection", List.of("k", "z"));
    add(
        PersistentCache.class,
        pool.cache("cache", String.class, Long.class, o -> o.hotEntries(0)),
        ofEntries);
  }

  private void addMaps(Rockpool pool) {
    CallArguments ofMaps = new CallArguments().ofMaps().keys("E");
    addAny(pool.map("map", String.class, Long.class), ofMaps);
    addAny(pool.sortedMap("sorted map", String.class, Long.class), ofMaps);
    addAny(
        pool.table("table", String.class, String.class, Long.class),
        new CallArguments().ofMaps().put("H", "h").keys("S").keys("K").keys("E"));
    addAny(pool.value("value", Long.class), new CallArguments().put("T", 1L));
    addAny(pool.counter("counter"), new CallArguments());
  }

  private void addElements(Rockpool pool) {
    Set<String> other = pool.set("other set", String.class);
    CallArguments ofSets = new CallArguments().ofElements().sets(() -> other);
    addAny(pool.set("set", String.class), ofSets);
    addAny(pool.sortedSet("sorted set", String.class), ofSets);
    var scored = pool.scoredSet("other scored set", String.class);
    addAny(
        pool.scoredSet("scored set", String.class),
        new CallArguments().ofElements().sets(() -> scored));
    var deque = pool.deque("other deque", String.class);
    addAny(pool.deque("deque", String.class), new CallArguments().ofElements().deques(() -> deque));
  }

  private void addQueues(Rockpool pool) {
    CallArguments ofQueues = new CallArguments().put("T", "new").put("Collection", List.of("new"));
    PersistentQueue<String> queue = pool.queue("queue", String.class);
    ofQueues.per("Collection<Delivery>", () -> List.of());
    add(PersistentQueue.class, queue, ofQueues);
    add(
        PersistentTimer.class,
        pool.timer("timer", Schedule.rate(Duration.ofHours(1)), String.class),
        ofQueues);
    pool.map(
        "fed", String.class, Long.class, o -> o.changes(ChangeOptions.keep(Duration.ofHours(1))));
    add(ChangeFeed.class, pool.changes("fed", String.class, Long.class), ofQueues);
  }

  private void addAny(Object handle, CallArguments given) {
    add(handle.getClass(), handle, given);
  }

  private void add(Class<?> type, Object handle, CallArguments given) {
    handles.put(type, handle);
    arguments.put(type, given);
  }

  /** Whatever an operation of a store returns is here, unless it is only data. */
  private void checkHandles() {
    for (Method method : Rockpool.class.getMethods()) {
      Class<?> returned = method.getReturnType();
      if (returned.getName().startsWith("io.rockpool.")
          && !returned.isRecord()
          && !Modifier.isStatic(method.getModifiers())
          && returned != StoreBackups.class // of stores in directories
          && handles.keySet().stream().noneMatch(returned::isAssignableFrom)) {
        throw new AssertionError("No operation of a " + returned + " is called; add it.");
      }
    }
  }

  /**
   * Calls all, those of each handle in turn on a thread of its own, and returns which took longer
   * than {@code limit} or did not say what was wrong.
   *
   * @param isAway whether no server answers: then calls throw, also those that wait without a limit
   */
  public List<String> problems(Duration limit, boolean isAway) throws InterruptedException {
    List<String> problems = new ArrayList<>();
    run(isAway).forEach((name, outcome) -> problems.add(outcome.problem(name, limit, isAway)));
    problems.removeIf(String::isEmpty);
    return problems;
  }

  private Map<String, Outcome> run(boolean isAway) throws InterruptedException {
    Map<String, Outcome> outcomes = new ConcurrentSkipListMap<>();
    Map<Class<?>, Thread> threads = new LinkedHashMap<>();
    handles.forEach(
        (type, handle) ->
            threads.put(type, new Thread(() -> callAll(type, handle, isAway, false, outcomes))));
    threads.values().forEach(Thread::start);
    long end = System.nanoTime() + ALL.toNanos();
    for (Thread thread : threads.values()) {
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
      thread.interrupt();
    }
    handles.forEach((type, handle) -> callAll(type, handle, isAway, true, outcomes));
    return new TreeMap<>(outcomes);
  }

  private void callAll(
      Class<?> type, Object handle, boolean isAway, boolean last, Map<String, Outcome> outcomes) {
    for (Method method : OneMoment.operationsOf(type)) {
      if (!Modifier.isStatic(method.getModifiers())
          && !method.getName().equals("close")
          && (isAway || !waitsWithoutLimit(method))
          && LAST.contains(method.getName()) == last
          && !isOverloadOfClass(method)) {
        String name =
            type.getSimpleName()
                + "."
                + method.getName()
                + Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).toList();
        outcomes.put(name, new Outcome(new TimeoutException(), Long.MAX_VALUE));
        outcomes.put(name, call(method, handle, arguments.get(type)));
      }
    }
  }

  private static boolean waitsWithoutLimit(Method method) {
    List<Class<?>> parameters = List.of(method.getParameterTypes());
    return List.of(method.getExceptionTypes()).contains(InterruptedException.class)
        && !parameters.contains(Duration.class)
        && !parameters.contains(TimeUnit.class);
  }

  /** It calls the overload with type references. */
  private static boolean isOverloadOfClass(Method method) {
    return List.of(method.getParameterTypes()).contains(Class.class);
  }

  private static Outcome call(Method method, Object handle, CallArguments given) {
    Object[] all = given.of(method, 0, System.currentTimeMillis()).toArray();
    method.setAccessible(true); // a public type may inherit it from one that is not
    long start = System.nanoTime();
    Throwable thrown = null;
    try {
      method.invoke(handle, all);
    } catch (InvocationTargetException e) {
      thrown = e.getCause();
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      throw new AssertionError(method + " cannot be called with " + Arrays.toString(all), e);
    }
    return new Outcome(thrown, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
  }
}
