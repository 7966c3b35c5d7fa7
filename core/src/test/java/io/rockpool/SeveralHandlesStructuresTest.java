package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.testing.HandleUnderTest;
import io.rockpool.testing.ModelCheck;
import io.rockpool.testing.NotEncrypted;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random operations of two stores on collections of one engine's data, whose adversary invents
 * conflicts and unknown outcomes. Each operation is exact, whatever is reported, and one with an
 * unknown outcome was made as a whole or not at all.
 */
@NotEncrypted("some of its handles are engines without Rockpool")
final class SeveralHandlesStructuresTest {
  private static final int STEPS = 1_500;
  private static final double UNKNOWN_OUTCOMES = 0.05;
  private static final List<String> KEYS = List.of("a", "b", "c");

  @Test
  void everyOperationIsExact() {
    ModelCheck.run(StructuresWorld::new, STEPS);
  }

  /** The collections of one handle. */
  private static final class Handle implements AutoCloseable {
    final HandleUnderTest feed;
    final Rockpool pool;
    final PersistentMap<String, Long> map;
    final PersistentDeque<Long> deque;
    final PersistentScoredSet<String> scores;
    final PersistentCounter counter;

    Handle(HandleUnderTest feed) {
      this.feed = feed;
      this.pool = Rockpool.at(o -> feed.engine()).open();
      this.map = pool.map("map", String.class, Long.class);
      this.deque = pool.deque("deque", Long.class);
      this.scores = pool.scoredSet("scores", String.class);
      this.counter = pool.counter("counter");
    }

    @Override
    public void close() {
      pool.close();
    }
  }

  /** What the collections should hold. */
  private record Model(
      Map<String, Long> map, Deque<Long> deque, Map<String, Double> scores, AtomicLong counter) {
    static Model empty() {
      return new Model(new HashMap<>(), new ArrayDeque<>(), new HashMap<>(), new AtomicLong());
    }

    Model copy() {
      return new Model(
          new HashMap<>(map),
          new ArrayDeque<>(deque),
          new HashMap<>(scores),
          new AtomicLong(counter.get()));
    }

    static Model of(Handle handle) {
      Map<String, Double> scores = new HashMap<>();
      handle.scores.forEach(
          element -> scores.put(element, handle.scores.score(element).orElseThrow()));
      return new Model(
          new HashMap<>(handle.map),
          new ArrayDeque<>(handle.deque),
          scores,
          new AtomicLong(handle.counter.get()));
    }

    /** In a form that has equals. */
    List<Object> state() {
      return List.of(map, List.copyOf(deque), scores, counter.get());
    }
  }

  private static final class StructuresWorld implements ModelCheck.World {
    private final MemoryEngine engine =
        MemoryEngine.builder().adversary(1).unknownOutcomes(UNKNOWN_OUTCOMES).shared().build();
    private final List<Handle> handles =
        List.of(
            new Handle(new HandleUnderTest(engine)),
            new Handle(new HandleUnderTest(engine.openAnother())));
    private Model model = Model.empty();

    /** An operation on a handle's collections, and the same on the model. */
    private record Operation(
        String name,
        Function<Handle, @Nullable Object> real,
        Function<Model, @Nullable Object> expected) {}

    private static Operation operation(Random random) {
      String key = KEYS.get(random.nextInt(KEYS.size()));
      long value = random.nextInt(100);
      List<Operation> all = new ArrayList<>();
      all.add(new Operation("map.put", it -> it.map.put(key, value), it -> it.map.put(key, value)));
      all.add(
          new Operation(
              "map.putIfAbsent",
              it -> it.map.putIfAbsent(key, value),
              it -> it.map.putIfAbsent(key, value)));
      all.add(new Operation("map.remove", it -> it.map.remove(key), it -> it.map.remove(key)));
      all.add(
          new Operation(
              "map.merge",
              it -> it.map.merge(key, value, Long::sum),
              it -> it.map.merge(key, value, Long::sum)));
      all.add(new Operation("map.get", it -> it.map.get(key), it -> it.map.get(key)));
      all.add(
          new Operation(
              "deque.addLast", it -> it.deque.offerLast(value), it -> it.deque.offerLast(value)));
      all.add(
          new Operation(
              "deque.addFirst",
              it -> it.deque.offerFirst(value),
              it -> it.deque.offerFirst(value)));
      all.add(new Operation("deque.poll", it -> it.deque.pollFirst(), it -> it.deque.pollFirst()));
      all.add(
          new Operation(
              "scores.add",
              it -> it.scores.add(key, (double) value),
              it -> it.scores.put(key, (double) value) == null));
      all.add(
          new Operation(
              "scores.remove", it -> it.scores.remove(key), it -> it.scores.remove(key) != null));
      all.add(
          new Operation(
              "counter.add", it -> it.counter.addAndGet(value), it -> it.counter.addAndGet(value)));
      all.add(
          new Operation(
              "atomically",
              it ->
                  it.pool.<@Nullable Object>atomically(
                      transaction -> {
                        it.deque.offerLast(value);
                        it.counter.addAndGet(value);
                        return it.map.put(key, value);
                      }),
              it -> {
                it.deque.offerLast(value);
                it.counter.addAndGet(value);
                return it.map.put(key, value);
              }));
      return all.get(random.nextInt(all.size()));
    }

    @Override
    public void step(Random random, Consumer<String> log) {
      Handle handle = handles.get(random.nextInt(handles.size()));
      switch (random.nextInt(20)) {
        case 0 -> handle.feed.delay();
        case 1 -> handle.feed.deliver();
        case 2 -> handle.feed.lose();
        case 3 -> handle.feed.regain();
        default -> {}
      }
      Operation operation = operation(random);
      log.accept(operation.name + " by handle " + handles.indexOf(handle));
      Model after = model.copy();
      Object expected = operation.expected.apply(after);
      try {
        assertThat(operation.real.apply(handle)).isEqualTo(expected);
        model = after;
      } catch (OutcomeUnknownException e) {
        Model now = Model.of(handles.get(0));
        assertThat(now.state()).isIn(model.state(), after.state());
        model = now;
      }
      Map<Integer, List<Object>> states = new LinkedHashMap<>();
      handles.forEach(each -> states.put(states.size(), Model.of(each).state()));
      assertThat(states.values()).containsOnly(model.state());
    }

    @Override
    public void close() {
      handles.forEach(Handle::close);
    }
  }
}
