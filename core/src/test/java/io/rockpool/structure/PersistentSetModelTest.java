package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Expiry;
import io.rockpool.structure.StoreUnderTest.Kind;
import io.rockpool.testing.ModelCheck;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random operations on two sets, one of them sorted, and on maps of their elements' expiries. */
class PersistentSetModelTest {
  private static final int ELEMENTS = 30;

  @TempDir Path directory;
  private int worlds;

  @ParameterizedTest
  @EnumSource(names = {"ADVERSARIAL", "ROCKSDB"})
  void doesWhatTheModelDoes(Kind kind) {
    ModelCheck.run(
        () -> new World(new StoreUnderTest(kind, directory.resolve("world-" + worlds++))), 300);
  }

  static ModelCheck.World world(StoreUnderTest store) {
    return new World(store);
  }

  private static final class World implements ModelCheck.World {
    private final StoreUnderTest store;
    private final List<Map<Integer, Long>> models = List.of(new TreeMap<>(), new TreeMap<>());
    private PersistentSet<Integer> set;
    private PersistentSortedSet<Integer> sorted;
    private Random random = new Random(0);

    World(StoreUnderTest store) {
      this.store = store;
      open();
    }

    private void open() {
      set = store.pool().set("set", Integer.class);
      sorted = store.pool().sortedSet("sorted", Integer.class);
    }

    private Map<Integer, Long> model(int which) {
      Map<Integer, Long> model = models.get(which);
      model.values().removeIf(expiryMillis -> Expiry.isPast(expiryMillis, store.clock));
      return model;
    }

    @Override
    public void step(Random drawn, Consumer<String> log) {
      random = drawn;
      int operation = random.nextInt(12);
      int element = random.nextInt(ELEMENTS);
      int which = random.nextInt(2);
      log.accept("operation " + operation + " on " + which + ", element " + element);
      if (which == 0) {
        step(operation, element, set, model(0), sorted, model(1));
      } else {
        step(operation, element, sorted, model(1), set, model(0));
      }
      assertThat(set.stream()).containsExactlyInAnyOrderElementsOf(model(0).keySet());
      assertThat(sorted.stream()).containsExactlyElementsOf(model(1).keySet());
    }

    private void step(
        int operation,
        int element,
        ElementSet<Integer, ?> one,
        Map<Integer, Long> model,
        ElementSet<Integer, ?> other,
        Map<Integer, Long> otherModel) {
      switch (operation) {
        case 0, 1, 2 -> {
          assertThat(one.add(element)).isEqualTo(model.putIfAbsent(element, Expiry.NEVER) == null);
        }
        case 3 -> {
          Duration ttl = Duration.ofMillis(1 + random.nextInt(100));
          assertThat(one.add(element, ttl))
              .isEqualTo(model.put(element, Expiry.after(store.clock, ttl)) == null);
        }
        case 4, 5 -> {
          Long moved = model.remove(element);
          assertThat(one.moveTo(other, element)).isEqualTo(moved != null);
          if (moved != null) {
            otherModel.putIfAbsent(element, moved);
          }
        }
        case 6 -> {
          int count = random.nextInt(4);
          List<Integer> removed = one.removeRandom(count);
          assertThat(removed).hasSize(Math.min(count, model.size())).doesNotHaveDuplicates();
          assertThat(model.keySet()).containsAll(removed);
          model.keySet().removeAll(removed);
        }
        case 7 -> {
          int count = random.nextInt(ELEMENTS);
          assertThat(one.randomElements(count))
              .hasSize(Math.min(count, model.size()))
              .doesNotHaveDuplicates()
              .isSubsetOf(model.keySet());
          assertThat(one.randomElementsWithRepeats(count))
              .hasSize(model.isEmpty() ? 0 : count)
              .isSubsetOf(model.keySet());
        }
        case 8 -> combine(one, model.keySet(), other, otherModel.keySet());
        case 9 -> {
          List<Integer> some = new ArrayList<>(model.keySet());
          assertThat(one.containsAll(some)).isTrue();
          some.add(element);
          assertThat(one.containsAll(some)).isEqualTo(model.containsKey(element));
        }
        case 10 -> store.clock.advanceMillis(random.nextInt(40));
        default -> reopen();
      }
    }

    private void combine(
        ElementSet<Integer, ?> one,
        Set<Integer> model,
        ElementSet<Integer, ?> other,
        Set<Integer> otherModel) {
      Set<Integer> third = Set.of(1, 2, 3, random.nextInt(4, ELEMENTS));
      Set<Integer> expected = new HashSet<>(model);
      expected.retainAll(otherModel);
      expected.retainAll(third);
      assertThat(one.intersection(List.of(other, third)))
          .containsExactlyInAnyOrderElementsOf(expected);
      assertThat(one.intersectionSize(List.of(third, other), 2))
          .isEqualTo(Math.min(2, expected.size()));
      expected = new HashSet<>(model);
      expected.addAll(otherModel);
      expected.addAll(third);
      assertThat(one.union(List.of(other, third))).containsExactlyInAnyOrderElementsOf(expected);
      expected = new HashSet<>(model);
      expected.removeAll(otherModel);
      expected.removeAll(third);
      assertThat(one.difference(List.of(other, third)))
          .containsExactlyInAnyOrderElementsOf(expected);
    }

    private void reopen() {
      if (random.nextInt(4) == 0) {
        store.reopen();
        open();
      }
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
