package io.rockpool.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.engine.Engine;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.testing.CallArguments;
import io.rockpool.testing.OneMoment;
import io.rockpool.testing.Slow;
import io.rockpool.testing.SteppingClock;
import io.rockpool.testing.TestServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every public operation of a queue, a delivery and a timer decides at one moment: its answer and
 * what it leaves agree, whichever of its looks at the clock is the first that shows a message as
 * expired, due, or free of its lease.
 */
@Slow
@Timeout(600)
final class QueueMomentTest {
  private static final String NAME = "name";

  /**
   * Operations that count what the test itself does, or show a message that is fixed when it is
   * taken.
   */
  private static final Set<String> WITHOUT =
      Set.of("hashCode", "statistics", "visibilityTimeout", "leasedUntil", "sent");

  @TempDir Path directory;

  /** What happens to the message at the moment. */
  enum Ending {
    EXPIRES {
      @Override
      void fill(PersistentQueue<String> queue, List<Delivery<String>> taken) {
        queue.send("k", options -> options.timeToLive(OneMoment.LIFE));
        queue.send("z");
      }
    },
    IS_DUE {
      @Override
      void fill(PersistentQueue<String> queue, List<Delivery<String>> taken) {
        queue.send("k", options -> options.delay(OneMoment.LIFE));
        queue.send("z");
      }
    },
    IS_FREE {
      @Override
      void fill(PersistentQueue<String> queue, List<Delivery<String>> taken) {
        queue.send("k");
        queue.send("z");
        taken.addAll(queue.receive(1));
      }
    },
    MAY_REPEAT {
      @Override
      void fill(PersistentQueue<String> queue, List<Delivery<String>> taken) {
        queue.send("k", options -> options.deduplicate("id", OneMoment.LIFE));
      }
    },
    IS_TURN {
      @Override
      void fill(PersistentQueue<String> queue, List<Delivery<String>> taken) {
        queue.send("k", options -> options.group("g"));
        queue.send("z", options -> options.group("g"));
        taken.addAll(queue.receive(1));
      }
    };

    abstract void fill(PersistentQueue<String> queue, List<Delivery<String>> taken);
  }

  private static final class World implements OneMoment.World {
    private final Rockpool pool;
    private final PersistentQueue<String> queue;
    private final List<Delivery<String>> taken = new ArrayList<>();
    private final boolean ofDelivery;

    World(Rockpool pool, Ending ending, boolean ofDelivery) {
      this.pool = pool;
      this.ofDelivery = ofDelivery;
      queue =
          pool.queue(
              NAME,
              String.class,
              options ->
                  options.visibilityTimeout(OneMoment.LIFE).deadLetters("dead").maxDeliveries(3));
      ending.fill(queue, taken);
    }

    @Override
    public Object subject() {
      return ofDelivery ? taken.get(0) : queue;
    }

    @Override
    public Object state() {
      List<Object> state = new ArrayList<>();
      state.add(queue.receive(10));
      state.add(queue.deadLetters().peek(10));
      return state;
    }

    @Override
    public void close() {
      pool.names().dropAll();
    }
  }

  private Engine open(boolean onDisk, SteppingClock clock) {
    return onDisk
        ? RocksDbEngine.open(directory, RocksDbOptions.builder().clock(clock).build())
        : TestServer.provided()
            .map(server -> server.newStore().apply(clock))
            .orElseGet(() -> MemoryEngine.builder().clock(clock).build());
  }

  static Stream<Arguments> all() {
    List<Arguments> all = new ArrayList<>();
    for (Ending ending : Ending.values()) {
      for (boolean onDisk : new boolean[] {false, true}) {
        all.add(Arguments.of(ending, onDisk, false, false));
        all.add(Arguments.of(ending, onDisk, false, true));
        if (ending == Ending.IS_FREE || ending == Ending.IS_TURN) {
          all.add(Arguments.of(ending, onDisk, true, false));
        }
      }
    }
    return all.stream();
  }

  @ParameterizedTest(name = "{0}, on disk: {1}, of a delivery: {2}, in a transaction: {3}")
  @MethodSource("all")
  void isDecidedAtOneMoment(
      Ending ending, boolean onDisk, boolean ofDelivery, boolean inTransaction) {
    SteppingClock clock = new SteppingClock();
    List<World> current = new ArrayList<>();
    try (Rockpool pool = Rockpool.at(o -> open(onDisk, clock)).open()) {
      CallArguments arguments =
          new CallArguments()
              .put("T", "new")
              .put("Duration", Duration.ZERO, Duration.ofHours(1))
              .put("double", 1_000_000.0)
              .put("Collection", List.of("new"))
              .put("SendOptions", SendOptions.defaults(), again())
              .per(
                  "Collection<Delivery>",
                  () -> current.isEmpty() ? List.of() : List.copyOf(current.get(0).taken));
      OneMoment each =
          new OneMoment(
                  pool,
                  clock,
                  arguments,
                  any -> {
                    World world = new World(pool, ending, ofDelivery);
                    current.clear();
                    current.add(world);
                    return world;
                  })
              .without(WITHOUT);
      if (inTransaction) {
        each.inTransaction();
      }
      Class<?> api = ofDelivery ? Delivery.class : PersistentQueue.class;
      assertThat(String.join("\n", each.run(api))).isEmpty();
      assertThat(each.runs()).isGreaterThan(10);
    }
  }

  private static SendOptions again() {
    return SendOptions.defaults().deduplicate("id", Duration.ofHours(1));
  }
}
