package io.rockpool.structure;

import static io.rockpool.structure.DequeEnd.FIRST;
import static io.rockpool.structure.DequeEnd.LAST;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.structure.StoreUnderTest.Kind;
import io.rockpool.testing.SteppingClock;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every thread that waits for a deque is served: each method that waits, with each method that adds
 * an element or makes room, and with several threads that wait.
 */
@Timeout(240)
class DequeWaitersTest {
  private static final int WAITERS = 3;
  private static final int SHORT_MILLIS = 5;

  /** More looks at the clock than an attempt takes. */
  private static final int LOOKS = 20;

  private static final Duration SHORT = Duration.ofMillis(SHORT_MILLIS);
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final StructureOptions BOUNDED = StructureOptions.defaults().capacity(WAITERS);
  private static final List<String> ALL = List.of("0", "1", "2");

  /** Methods that neither wait, nor add an element to an empty deque, nor make room. */
  private static final Set<String> NEUTRAL =
      Stream.of(
              "addListener cancelClear clearsIn contains containsAll count descendingIterator",
              "element equals forEach get getClass getFirst getLast hashCode indexOf indicesOf",
              "isClosed isEmpty iterator lastIndexOf name notify notifyAll parallelStream peek",
              "peekFirst peekLast range remainingCapacity reversed set size snapshot spliterator",
              "stream toArray toString wait offerFirstIfNotEmpty offerLastIfNotEmpty")
          .flatMap(line -> Arrays.stream(line.split(" ")))
          .collect(Collectors.toSet());

  @TempDir Path directory;
  private StoreUnderTest store;
  private PersistentDeque<String> deque;
  private PersistentDeque<String> other;

  /** A call of a method of a deque; it may use another deque. */
  private interface Call {
    Object on(PersistentDeque<String> deque, PersistentDeque<String> other) throws Exception;
  }

  /** A call without a result. */
  private interface Action {
    void on(PersistentDeque<String> deque, PersistentDeque<String> other) throws Exception;
  }

  private static Call call(Action action) {
    return (d, o) -> {
      action.on(d, o);
      return true;
    };
  }

  private void open(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    deque = store.pool().deque("d", TypeRef.of(String.class), o -> BOUNDED);
    other = store.pool().deque("other", String.class);
  }

  @AfterEach
  void close() {
    if (store != null) {
      store.close();
    }
  }

  /** What waits for room, by name and parameters. */
  private static Map<String, Call> putters() {
    Map<String, Call> all = new LinkedHashMap<>();
    all.put("put(Object)", call((d, o) -> d.put("p")));
    all.put("putFirst(Object)", call((d, o) -> d.putFirst("p")));
    all.put("putLast(Object)", call((d, o) -> d.putLast("p")));
    all.put("offer(Object,long,TimeUnit)", (d, o) -> d.offer("p", 20, SECONDS));
    all.put("offerFirst(Object,long,TimeUnit)", (d, o) -> d.offerFirst("p", 20, SECONDS));
    all.put("offerLast(Object,long,TimeUnit)", (d, o) -> d.offerLast("p", 20, SECONDS));
    all.put("offer(Object,Duration)", (d, o) -> d.offer("p", LONG));
    all.put("offerFirst(Object,Duration)", (d, o) -> d.offerFirst("p", LONG));
    all.put("offerLast(Object,Duration)", (d, o) -> d.offerLast("p", LONG));
    return all;
  }

  /** What waits for an element. */
  private static Map<String, Call> takers() {
    Map<String, Call> all = new LinkedHashMap<>();
    all.put("take()", (d, o) -> d.take());
    all.put("takeFirst()", (d, o) -> d.takeFirst());
    all.put("takeLast()", (d, o) -> d.takeLast());
    all.put("poll(long,TimeUnit)", (d, o) -> d.poll(20, SECONDS));
    all.put("pollFirst(long,TimeUnit)", (d, o) -> d.pollFirst(20, SECONDS));
    all.put("pollLast(long,TimeUnit)", (d, o) -> d.pollLast(20, SECONDS));
    all.put("poll(Duration)", (d, o) -> d.poll(LONG));
    all.put("pollFirst(Duration)", (d, o) -> d.pollFirst(LONG));
    all.put("pollLast(Duration)", (d, o) -> d.pollLast(LONG));
    all.put("takeFirstTo(PersistentDeque,DequeEnd)", (d, o) -> d.takeFirstTo(o, LAST));
    all.put("takeLastTo(PersistentDeque,DequeEnd)", (d, o) -> d.takeLastTo(o, LAST));
    all.put(
        "pollFirstTo(PersistentDeque,DequeEnd,Duration)", (d, o) -> d.pollFirstTo(o, LAST, LONG));
    all.put("pollLastTo(PersistentDeque,DequeEnd,Duration)", (d, o) -> d.pollLastTo(o, LAST, LONG));
    all.put(
        "pollFirstOf(List,int,Duration)",
        (d, o) -> PersistentDeque.pollFirstOf(List.of(d), 1, LONG).orElse(null));
    all.put(
        "pollLastOf(List,int,Duration)",
        (d, o) -> PersistentDeque.pollLastOf(List.of(d), 1, LONG).orElse(null));
    return all;
  }

  /** What makes room for one element or more in a full deque, some of it after {@link #SHORT}. */
  private Map<String, Call> roomMakers() {
    Map<String, Call> all = new LinkedHashMap<>();
    all.put("poll()", (d, o) -> d.poll());
    all.put("pollFirst()", (d, o) -> d.pollFirst());
    all.put("pollLast()", (d, o) -> d.pollLast());
    all.put("remove()", (d, o) -> d.remove());
    all.put("removeFirst()", (d, o) -> d.removeFirst());
    all.put("removeLast()", (d, o) -> d.removeLast());
    all.put("pop()", (d, o) -> d.pop());
    all.put("pollFirst(int)", (d, o) -> d.pollFirst(WAITERS));
    all.put("pollLast(int)", (d, o) -> d.pollLast(WAITERS));
    all.put("drainTo(Collection)", (d, o) -> d.drainTo(new ArrayList<>()));
    all.put("drainTo(Collection,int)", (d, o) -> d.drainTo(new ArrayList<>(), 1));
    all.put("remove(Object)", (d, o) -> ALL.stream().filter(d::remove).count());
    all.put(
        "removeFirstOccurrence(Object)",
        (d, o) -> ALL.stream().filter(d::removeFirstOccurrence).count());
    all.put(
        "removeLastOccurrence(Object)",
        (d, o) -> ALL.stream().filter(d::removeLastOccurrence).count());
    all.put(
        "removeOccurrences(Object,DequeEnd,long)",
        call((d, o) -> ALL.forEach(element -> d.removeOccurrences(element, LAST, 9))));
    all.put("removeAll(Collection)", (d, o) -> d.removeAll(ALL));
    all.put("retainAll(Collection)", (d, o) -> d.retainAll(List.of("p")));
    all.put("removeIf(Predicate)", (d, o) -> d.removeIf(ALL::contains));
    all.put("iterator()", call((d, o) -> removeOne(d.iterator())));
    all.put("descendingIterator()", call((d, o) -> removeOne(d.descendingIterator())));
    all.put("clear()", call((d, o) -> d.clear()));
    all.put("clearAt(Instant)", call((d, o) -> d.clearAt(store.clock.instant().plus(SHORT))));
    all.put("clearAfter(Duration)", call((d, o) -> d.clearAfter(SHORT)));
    all.put(
        "clearAt(Instant,ExpiryCondition)",
        (d, o) -> d.clearAt(store.clock.instant().plus(SHORT), ExpiryCondition.ABSENT));
    all.put(
        "clearAfter(Duration,ExpiryCondition)",
        (d, o) -> d.clearAfter(SHORT, ExpiryCondition.ABSENT));
    all.put(
        "clearAfter(Duration,ExpiryCondition), at once",
        (d, o) -> d.clearAfter(Duration.ZERO, ExpiryCondition.ABSENT));
    all.put("trim(long,long)", (d, o) -> d.trim(1, Long.MAX_VALUE));
    all.put("moveFirstTo(PersistentDeque,DequeEnd)", (d, o) -> d.moveFirstTo(o, LAST));
    all.put("moveLastTo(PersistentDeque,DequeEnd)", (d, o) -> d.moveLastTo(o, LAST));
    all.put("pollFirstOf(List,int)", (d, o) -> PersistentDeque.pollFirstOf(List.of(d), 1));
    all.put("pollLastOf(List,int)", (d, o) -> PersistentDeque.pollLastOf(List.of(d), 1));
    all.put("set(long,Object,Duration)", (d, o) -> d.set(0, "soon", SHORT));
    all.put("set(long,Object,Duration), at once", (d, o) -> d.set(0, "never", Duration.ZERO));
    all.put(
        "offerFirstExpiring(Object,Duration)",
        instead((d, o) -> d.offerFirstExpiring("soon", SHORT)));
    all.put(
        "offerLastExpiring(Object,Duration)",
        instead((d, o) -> d.offerLastExpiring("soon", SHORT)));
    all.put("insert(long,Object,Duration)", instead(call((d, o) -> d.insert(1, "soon", SHORT))));
    all.put(
        "insertBefore(Object,Object,Duration)",
        instead((d, o) -> d.insertBefore(d.getFirst(), "soon", SHORT)));
    all.put(
        "insertAfter(Object,Object,Duration)",
        instead((d, o) -> d.insertAfter(d.getFirst(), "soon", SHORT)));
    all.putAll(takers());
    return all;
  }

  private static void removeOne(Iterator<String> walk) {
    walk.next();
    walk.remove();
  }

  /** Replaces each element by one that expires, in one transaction. */
  private Call instead(Call addition) {
    return inTransaction(
        (d, o) -> {
          for (String element : ALL) {
            assertThat(d.remove(element)).isTrue();
            Object unused = addition.on(d, o);
          }
          return true;
        });
  }

  private Call inTransaction(Call call) {
    return (d, o) ->
        store
            .pool()
            .atomically(
                tx -> {
                  try {
                    return call.on(d, o);
                  } catch (RuntimeException e) {
                    throw e;
                  } catch (Exception e) {
                    throw new AssertionError(e);
                  }
                });
  }

  /** What adds one element or more to an empty deque. */
  private Map<String, Call> bringers() {
    Map<String, Call> all = new LinkedHashMap<>();
    all.put("add(Object)", (d, o) -> d.add("a"));
    all.put("addFirst(Object)", call((d, o) -> d.addFirst("a")));
    all.put("addLast(Object)", call((d, o) -> d.addLast("a")));
    all.put("push(Object)", call((d, o) -> d.push("a")));
    all.put("offer(Object)", (d, o) -> d.offer("a"));
    all.put("offerFirst(Object)", (d, o) -> d.offerFirst("a"));
    all.put("offerLast(Object)", (d, o) -> d.offerLast("a"));
    all.put("offerFirstExpiring(Object,Duration)", (d, o) -> d.offerFirstExpiring("a", LONG));
    all.put("offerLastExpiring(Object,Duration)", (d, o) -> d.offerLastExpiring("a", LONG));
    all.put("addAll(Collection)", (d, o) -> d.addAll(List.of("a", "b", "c")));
    all.put("addAllFrom(Stream)", (d, o) -> d.addAllFrom(Stream.of("a", "b", "c")));
    all.put("insert(long,Object)", call((d, o) -> d.insert(0, "a")));
    all.put("insert(long,Object,Duration)", call((d, o) -> d.insert(0, "a", LONG)));
    all.put("insertBefore(Object,Object)", beside((d, o) -> d.insertBefore("pivot", "a")));
    all.put("insertAfter(Object,Object)", beside((d, o) -> d.insertAfter("pivot", "a")));
    all.put(
        "insertBefore(Object,Object,Duration)",
        beside((d, o) -> d.insertBefore("pivot", "a", LONG)));
    all.put(
        "insertAfter(Object,Object,Duration)", beside((d, o) -> d.insertAfter("pivot", "a", LONG)));
    all.put("moveFirstTo(PersistentDeque,DequeEnd)", moved((d, o) -> o.moveFirstTo(d, FIRST)));
    all.put("moveLastTo(PersistentDeque,DequeEnd)", moved((d, o) -> o.moveLastTo(d, FIRST)));
    all.putAll(putters());
    return all;
  }

  private Call beside(Call insertion) {
    return inTransaction(
        (d, o) -> {
          d.addLast("pivot");
          return insertion.on(d, o);
        });
  }

  private static Call moved(Call move) {
    return (d, o) -> {
      o.addLast("a");
      return move.on(d, o);
    };
  }

  @ParameterizedTest
  @EnumSource
  void eachPutterGetsRoom(Kind kind) throws Exception {
    open(kind);
    for (String putter : putters().keySet()) {
      makesRoom(putter, "poll()");
    }
    for (String cause : roomMakers().keySet()) {
      makesRoom("put(Object)", cause);
    }
  }

  private void makesRoom(String putter, String cause) throws Exception {
    String what = putter + " after " + cause;
    other.clear();
    deque.clear();
    deque.cancelClear();
    deque.addAll(ALL);
    List<WaitingCall<?>> waiting = new ArrayList<>();
    for (int i = 0; i < WAITERS; i++) {
      Call waits = putters().get(putter);
      waiting.add(new WaitingCall<>(() -> waits.on(deque, other)));
    }
    Call makes = roomMakers().get(cause);
    for (int i = 0; i < WAITERS && waiting.stream().anyMatch(call -> !call.isDone()); i++) {
      if (deque.stream().anyMatch(ALL::contains)) {
        Object unused = makes.on(deque, other);
        store.clock.advanceMillis(SHORT_MILLIS);
      }
    }
    for (WaitingCall<?> call : waiting) {
      assertThat(call.resultOf(what)).isEqualTo(true);
    }
  }

  /** What expires after an attempt, before the look at when to try again, is not overlooked. */
  @Test
  void roomThatComesBetweenTwoLooks() throws Exception {
    SteppingClock clock = new SteppingClock();
    try (Rockpool pool = Rockpool.at(o -> MemoryEngine.builder().clock(clock).build()).open()) {
      PersistentDeque<String> full = pool.deque("d", TypeRef.of(String.class), o -> BOUNDED);
      Map<String, Call> expiring = new LinkedHashMap<>();
      expiring.put("the deque", call((d, o) -> d.clearAfter(SHORT)));
      expiring.put("an element", call((d, o) -> d.set(1, "soon", SHORT)));
      for (String what : expiring.keySet()) {
        for (int look = 1; look <= LOOKS; look++) {
          full.clear();
          full.addAll(ALL);
          Object unused = expiring.get(what).on(full, full);
          clock.watch(look, clock.nowMillis() + SHORT_MILLIS);
          long begun = System.nanoTime();
          assertThat(full.offer("p", LONG)).isTrue();
          assertThat(Duration.ofNanos(System.nanoTime() - begun))
              .as("%s expired at look %d", what, look)
              .isLessThan(LONG.dividedBy(2));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachTakerGetsAnElement(Kind kind) throws Exception {
    open(kind);
    for (String taker : takers().keySet()) {
      brings(taker, "addLast(Object)");
    }
    for (String cause : bringers().keySet()) {
      brings("take()", cause);
      brings("pollFirstOf(List,int,Duration)", cause);
    }
  }

  private void brings(String taker, String cause) throws Exception {
    String what = taker + " after " + cause;
    PersistentDeque<String> unbounded = store.pool().deque("unbounded", String.class);
    other.clear();
    unbounded.clear();
    List<WaitingCall<?>> waiting = new ArrayList<>();
    for (int i = 0; i < WAITERS; i++) {
      Call waits = takers().get(taker);
      waiting.add(new WaitingCall<>(() -> waits.on(unbounded, other)));
    }
    Call brings = bringers().get(cause);
    int calls = cause.startsWith("addAll") ? 1 : WAITERS; // that one brings as many
    for (int i = 0; i < calls; i++) {
      Object unused = brings.on(unbounded, other);
    }
    for (WaitingCall<?> call : waiting) {
      assertThat(call.resultOf(what)).isNotNull();
    }
  }

  @Test
  void everyMethodIsInATable() {
    Set<String> known = new TreeSet<>();
    for (Map<String, Call> table : List.of(putters(), takers(), roomMakers(), bringers())) {
      table.keySet().forEach(name -> known.add(name.replaceFirst(", .*", "")));
    }
    assertThat(PersistentDeque.class.getMethods())
        .filteredOn(method -> !method.isBridge() && !NEUTRAL.contains(method.getName()))
        .extracting(DequeWaitersTest::signature)
        .filteredOn(signature -> !known.contains(signature))
        .as("methods of which no table says whether they wait or wake")
        .isEmpty();
  }

  private static String signature(Method method) {
    return method.getName()
        + Arrays.stream(method.getParameterTypes())
            .map(Class::getSimpleName)
            .collect(Collectors.joining(",", "(", ")"));
  }
}
