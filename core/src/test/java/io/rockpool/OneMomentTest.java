package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Engine;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.structure.ConditionalRow;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentSet;
import io.rockpool.structure.PersistentSortedMap;
import io.rockpool.structure.PersistentSortedSet;
import io.rockpool.structure.PersistentStructure;
import io.rockpool.structure.PersistentTable;
import io.rockpool.structure.PersistentValue;
import io.rockpool.structure.Range;
import io.rockpool.testing.CallArguments;
import io.rockpool.testing.OneMoment;
import io.rockpool.testing.OneMoment.World;
import io.rockpool.testing.Slow;
import io.rockpool.testing.SteppingClock;
import io.rockpool.testing.TestServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every public operation of every structure decides at one moment: its answer and what it leaves
 * agree, whichever of its looks at the clock is the first that shows an element as expired.
 */
@Slow
@Timeout(600)
final class OneMomentTest {
  private static final String NAME = "name";
  private static final String OTHER = "other";
  private static final Duration LIFE = OneMoment.LIFE;
  private static final String K = CallArguments.EXPIRING;

  /** Operations that end the structure, that the test itself needs, or whose answers are random. */
  private static final Set<String> WITHOUT =
      Set.of("close", "hashCode", "randomElementsWithRepeats");

  private static final Set<String> RANDOM =
      Set.of("randomElement", "randomElements", "removeRandom", "parallelStream");

  @TempDir Path directory;

  /** Which elements there are besides the one that expires. */
  enum Place {
    ALONE(""),
    FIRST("z"),
    LAST("a");

    private final String other;

    Place(String other) {
      this.other = other;
    }

    List<String> others() {
      return other.isEmpty() ? List.of() : List.of(other);
    }
  }

  /** A structure: how it is opened and filled. */
  enum Type {
    MAP(PersistentMap.class) {
      @Override
      World world(Rockpool pool, Place place) {
        PersistentMap<String, Long> map = pool.map(NAME, String.class, Long.class);
        place.others().forEach(key -> map.put(key, 9L));
        map.put(K, 1L, LIFE);
        return new Opened(map, map, () -> state(map, map::ttl));
      }
    },
    SORTED_MAP(PersistentSortedMap.class) {
      @Override
      World world(Rockpool pool, Place place) {
        PersistentSortedMap<String, Long> map = pool.sortedMap(NAME, String.class, Long.class);
        place.others().forEach(key -> map.put(key, 9L));
        map.put(K, 1L, LIFE);
        return new Opened(map, map, () -> state(map, map::ttl));
      }
    },
    SET(PersistentSet.class) {
      @Override
      World world(Rockpool pool, Place place) {
        PersistentSet<String> set = pool.set(NAME, String.class);
        place.others().forEach(set::add);
        set.add(K, LIFE);
        PersistentSet<String> other = pool.set(OTHER, String.class);
        other.add("z");
        return new Opened(set, other, () -> List.of(state(set, set::ttl), Set.copyOf(other)));
      }
    },
    SORTED_SET(PersistentSortedSet.class) {
      @Override
      World world(Rockpool pool, Place place) {
        PersistentSortedSet<String> set = pool.sortedSet(NAME, String.class);
        place.others().forEach(set::add);
        set.add(K, LIFE);
        PersistentSet<String> other = pool.set(OTHER, String.class);
        other.add("z");
        return new Opened(set, other, () -> List.of(state(set, set::ttl), List.copyOf(other)));
      }
    },
    SCORED_SET(PersistentScoredSet.class) {
      @Override
      World world(Rockpool pool, Place place) {
        PersistentScoredSet<String> set = pool.scoredSet(NAME, String.class);
        place.others().forEach(element -> set.add(element, element.charAt(0)));
        set.add(K, 'k', LIFE);
        PersistentScoredSet<String> other = pool.scoredSet(OTHER, String.class);
        other.add("z", 1);
        return new Opened(
            set,
            other,
            () -> {
              set.expireAfter("nothing", LIFE); // a write, which removes what has expired
              return List.of(state(set, set::ttl), set.range(Range.all()));
            });
      }
    },
    DEQUE(PersistentDeque.class) {
      @Override
      World world(Rockpool pool, Place place) {
        PersistentDeque<String> deque = pool.deque(NAME, String.class);
        return deque(pool, place, deque);
      }
    },
    FULL_DEQUE(PersistentDeque.class) {
      @Override
      World world(Rockpool pool, Place place) {
        PersistentDeque<String> deque =
            pool.deque(
                NAME + place, String.class, options -> options.capacity(place.others().size() + 1));
        return deque(pool, place, deque);
      }
    },
    TABLE(PersistentTable.class) {
      @Override
      World world(Rockpool pool, Place place) {
        PersistentTable<String, String, Long> table =
            pool.table(NAME, String.class, String.class, Long.class);
        place.others().forEach(key -> table.put("h", key, 9L));
        table.put("h", K, 1L, LIFE);
        return new Opened(table, table, () -> state(table.row("h"), key -> table.ttl("h", key)));
      }
    },
    VALUE(PersistentValue.class) {
      @Override
      World world(Rockpool pool, Place place) {
        PersistentValue<Long> value = pool.value(NAME, Long.class);
        value.set(1L, LIFE);
        return new Opened(
            value, value, () -> value.getOptional() + " " + value.clearsIn().isPresent());
      }
    },
    COUNTER(PersistentCounter.class) {
      @Override
      World world(Rockpool pool, Place place) {
        PersistentCounter counter = pool.counter(NAME);
        counter.set(1, LIFE);
        return new Opened(
            counter, counter, () -> counter.get() + " " + counter.clearsIn().isPresent());
      }
    };

    final Class<?> api;

    Type(Class<?> api) {
      this.api = api;
    }

    abstract World world(Rockpool pool, Place place);

    private static World deque(Rockpool pool, Place place, PersistentDeque<String> deque) {
      if (place == Place.LAST) {
        deque.addAll(place.others());
      }
      deque.offerLastExpiring(K, LIFE);
      if (place == Place.FIRST) {
        deque.addAll(place.others());
      }
      PersistentDeque<String> other = pool.deque(OTHER, String.class);
      other.add("z");
      return new Opened(deque, other, () -> List.of(List.copyOf(deque), List.copyOf(other)));
    }

    CallArguments arguments() {
      return switch (this) {
        case MAP, SORTED_MAP -> new CallArguments().ofMaps().keys("E");
        case TABLE -> new CallArguments().ofMaps().put("H", "h").keys("S").keys("K").keys("E");
        case VALUE -> new CallArguments().put("T", 1L, 5L);
        case COUNTER -> new CallArguments();
        default -> new CallArguments().ofElements();
      };
    }
  }

  /** The remaining life of an element. */
  private interface Ttl {
    Optional<Duration> of(String element);
  }

  private static Object state(Map<String, Long> map, Ttl ttl) {
    Map<String, String> state = new TreeMap<>();
    map.forEach((key, value) -> state.put(key, value + lasting(ttl.of(key).orElseThrow())));
    return state;
  }

  private static Object state(Set<String> set, Ttl ttl) {
    Map<String, String> state = new TreeMap<>();
    set.forEach(element -> state.put(element, lasting(ttl.of(element).orElseThrow())));
    return state;
  }

  private static String lasting(Duration ttl) {
    return ttl.equals(PersistentStructure.FOREVER) ? "" : " for a time";
  }

  /** A structure that is emptied at the end, with another one or itself. */
  private record Opened(
      PersistentStructure subject, PersistentStructure other, Supplier<Object> read)
      implements World {
    @Override
    public Object state() {
      return read.get();
    }

    @Override
    public void close() {
      subject.clear();
      other.clear();
    }
  }

  static Stream<Arguments> all() {
    List<Arguments> all = new ArrayList<>();
    for (Type type : Type.values()) {
      for (boolean onDisk : new boolean[] {false, true}) {
        for (boolean inTransaction : new boolean[] {false, true}) {
          all.add(Arguments.of(type, onDisk, inTransaction));
        }
      }
    }
    return all.stream();
  }

  private Rockpool open(boolean onDisk, SteppingClock clock) {
    Engine engine =
        onDisk
            ? RocksDbEngine.open(directory, RocksDbOptions.builder().clock(clock).build())
            : TestServer.provided()
                .map(server -> server.newStore().apply(clock))
                .orElseGet(() -> MemoryEngine.builder().clock(clock).build());
    return Rockpool.at(o -> engine).open();
  }

  @ParameterizedTest(name = "{0}, on disk: {1}, in a transaction: {2}")
  @MethodSource("all")
  void isDecidedAtOneMoment(Type type, boolean onDisk, boolean inTransaction) {
    SteppingClock clock = new SteppingClock();
    List<String> found = new ArrayList<>();
    try (Rockpool pool = open(onDisk, clock)) {
      for (Place place : Place.values()) {
        OneMoment each =
            new OneMoment(pool, clock, arguments(type, pool), any -> type.world(pool, place))
                .without(WITHOUT)
                .into(ConditionalRow.class);
        if (place != Place.ALONE) {
          each.without(RANDOM).withoutViews();
        }
        if (place == Place.ALONE || type == Type.FULL_DEQUE || inTransaction) {
          each.withoutWaiting();
        }
        if (inTransaction) {
          each.inTransaction().withoutViews();
        }
        each.run(type.api).forEach(text -> found.add(place + " " + text));
        assertThat(each.runs()).isGreaterThan(10);
      }
    }
    assertThat(String.join("\n", found)).isEmpty();
  }

  /** The table, with other structures of this store. */
  private static CallArguments arguments(Type type, Rockpool pool) {
    CallArguments arguments = type.arguments();
    return switch (type) {
      case SET, SORTED_SET -> {
        yield arguments.sets(() -> pool.set(OTHER, String.class));
      }
      case SCORED_SET -> arguments.sets(() -> pool.scoredSet(OTHER, String.class));
      case DEQUE, FULL_DEQUE -> arguments.deques(() -> pool.deque(OTHER, String.class));
      default -> arguments;
    };
  }
}
