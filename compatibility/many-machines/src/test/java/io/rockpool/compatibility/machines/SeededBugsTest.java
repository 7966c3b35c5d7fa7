package io.rockpool.compatibility.machines;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.compatibility.machines.MachineOperation.Life;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowTransaction;
import io.rockpool.engine.Space;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.testing.HandleUnderTest;
import io.rockpool.testing.Proxied;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The work of a campaign on a correct engine passes all checks, and finds each seeded bug. */
final class SeededBugsTest {
  private static final Duration WORK = Duration.ofMillis(700);
  private static final Duration BOUND = Duration.ofMillis(300);
  private static final int EVERY = 20;
  private static final int TRIES = 10;

  @TempDir Path directory;

  private final AtomicInteger calls = new AtomicInteger();

  /** A bug of an engine: what it does instead of a call. */
  private interface Bug {
    @Nullable Object call(Object target, Method method, Object[] arguments, Supplier<Object> real);
  }

  /** On a slow machine there may be too few calls for a bug to be seen; then others are made. */
  private void assertFound(Bug bug, boolean reports, Predicate<String> wanted) throws Exception {
    List<String> found = violations(bug, reports);
    for (int i = 1; i < TRIES && found.stream().noneMatch(wanted); i++) {
      found = violations(bug, reports);
    }
    assertThat(found).anyMatch(wanted);
  }

  private List<String> violations(Bug bug, boolean reports) throws Exception {
    Path logs = Files.createTempDirectory(directory, "logs");
    MemoryEngine memory = MemoryEngine.builder().shared().build();
    HandleUnderTest first = new HandleUnderTest(memory);
    List<HandleUnderTest> handles = List.of(first, first.another(), first.another());
    List<Rockpool> pools = new ArrayList<>();
    List<MachineWork> work = new ArrayList<>();
    try (Rockpool reader = Rockpool.at(o -> first.another().engine()).open()) {
      for (HandleUnderTest handle : handles) {
        Rockpool pool = Rockpool.at(o -> wrapped(Engine.class, handle.engine(), bug)).open();
        pools.add(pool);
        if (!reports) {
          handle.delay();
        }
      }
      for (int machine = 0; machine < pools.size(); machine++) {
        MachineWork each = new MachineWork(pools.get(machine), new Life(machine, 0), 1, logs);
        work.add(each);
        each.startCaches();
        each.startCollections();
      }
      Thread.sleep(WORK.toMillis());
      for (MachineWork each : work) {
        assertThat(each.stop(Duration.ofSeconds(20))).isEmpty();
      }
      MachineHistory history = new MachineHistory(1, logs);
      history.addFailures();
      history.checkCaches(reader, BOUND.toNanos(), List.of(), null);
      history.checkCollections(reader);
      return history.violations();
    } finally {
      pools.forEach(Rockpool::close);
    }
  }

  private static <T> T wrapped(Class<T> type, T target, Bug bug) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            Proxied.interfaces(type),
            (proxy, method, arguments) -> {
              Object[] given = arguments == null ? new Object[0] : arguments;
              Object result =
                  bug.call(target, method, given, () -> invoke(target, method, arguments));
              return result instanceof Space space ? wrapped(Space.class, space, bug) : result;
            }));
  }

  private static Object invoke(Object target, Method method, Object @Nullable [] arguments) {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new AssertionError(e);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  private boolean isNext() {
    return calls.incrementAndGet() % EVERY == 0;
  }

  @Test
  void aCorrectEnginePasses() throws Exception {
    assertThat(violations((target, method, arguments, real) -> real.get(), true)).isEmpty();
  }

  @Test
  void aPutThatIsAcknowledgedAndNotMadeIsFound() throws Exception {
    assertFound(
        (target, method, arguments, real) ->
            target instanceof Space && method.getName().equals("put") && isNext()
                ? null
                : real.get(),
        true,
        each -> each.startsWith("cold.") && each.contains("linearizable"));
  }

  @Test
  void reportsThatDoNotArriveAreFound() throws Exception {
    assertFound(
        (target, method, arguments, real) -> real.get(),
        false,
        each -> each.contains("after a newer value was acknowledged"));
  }

  @Test
  void transactionsThatAreNotAtomicAreFound() throws Exception {
    assertFound(
        (target, method, arguments, real) ->
            target instanceof Engine && method.getName().equals("atomically")
                ? ((Supplier<?>) arguments[0]).get()
                : real.get(),
        true,
        each -> each.contains("sum was not") || each.contains("balances"));
  }

  @Test
  void aWriteThatWasMadeAndSaysThatItWasNotIsFound() throws Exception {
    assertFound(
        (target, method, arguments, real) -> {
          Object result = real.get();
          if (target instanceof Space && method.getName().equals("transact") && isNext()) {
            throw new ServerUnavailableException("a lie", null);
          }
          return result;
        },
        true,
        each -> each.contains("element"));
  }

  @Test
  void aQueueThatForgetsWhatItAcknowledgesIsFound() throws Exception {
    assertFound(
        (target, method, arguments, real) ->
            target instanceof Space space
                    && method.getName().equals("transact")
                    && space.info().name().startsWith("queue")
                    && isNext()
                ? withoutWrites(space, (byte[]) arguments[0], (RowTransaction<?>) arguments[1])
                : real.get(),
        true,
        each ->
            each.contains("messages were lost")
                || each.contains("after its acknowledgement")
                || each.contains("left, and acknowledged"));
  }

  private static <R> @Nullable Object withoutWrites(
      Space space, byte[] hashKey, RowTransaction<R> transaction) {
    return space.transact(hashKey, row -> transaction.run(withoutWrites(row)));
  }

  private static Row withoutWrites(Row row) {
    return (Row)
        Proxy.newProxyInstance(
            Row.class.getClassLoader(),
            new Class<?>[] {Row.class},
            (proxy, method, arguments) ->
                method.getReturnType() == void.class ? null : invoke(row, method, arguments));
  }
}
