package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.backup.DirectoryTarget;
import io.rockpool.backup.ShippingOptions;
import io.rockpool.cache.BatchWriter;
import io.rockpool.cache.PersistentCache;
import io.rockpool.change.ChangeOptions;
import io.rockpool.engine.Capability;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.testing.NotEncrypted;
import io.rockpool.testing.Proxied;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** A call whose engine lacks what it needs is refused, changes nothing, and says what to do. */
@NotEncrypted("the engine below has fewer capabilities")
final class CapabilityTest {
  private static final Class<String> TEXT = String.class;

  @TempDir private Path directory;

  /** An engine in memory that lacks a capability. */
  private static Engine without(Capability missing) {
    MemoryEngine engine = MemoryEngine.builder().build();
    Engine[] self = new Engine[1];
    self[0] = proxy(Engine.class, engine, missing, self);
    return self[0];
  }

  private static <T> T proxy(Class<T> type, T target, Capability missing, Engine[] engine) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            Proxied.interfaces(type),
            (proxy, method, arguments) -> {
              if (method.getName().equals("capabilities")) {
                Set<Capability> all = EnumSet.copyOf(((Engine) target).capabilities());
                all.remove(missing);
                return all;
              }
              if (isRefused(method, arguments, missing)) {
                throw missing.missingFrom(engine[0]);
              }
              Object result = call(target, method, arguments);
              return result instanceof Space space
                  ? proxy(Space.class, space, missing, engine)
                  : result;
            }));
  }

  private static boolean isRefused(Method method, Object[] arguments, Capability missing) {
    return switch (method.getName()) {
      case "require" -> arguments[0] == missing;
      case "create" ->
          missing == Capability.COLLECTIONS && ((SpaceSpec) arguments[0]).layout() == Layout.ROWS;
      case "atomically" -> missing == Capability.MULTI_ROW_TRANSACTIONS;
      case "snapshot" -> missing == Capability.SNAPSHOTS;
      default -> false;
    };
  }

  private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static Map<String, Consumer<Rockpool>> calls(Capability missing) {
    Map<String, Consumer<Rockpool>> calls = new LinkedHashMap<>();
    switch (missing) {
      case COLLECTIONS -> {
        calls.put("map", pool -> pool.map("n", TEXT, TEXT));
        calls.put("sortedMap", pool -> pool.sortedMap("n", TEXT, TEXT));
        calls.put("table", pool -> pool.table("n", TEXT, TEXT, TEXT));
        calls.put("set", pool -> pool.set("n", TEXT));
        calls.put("sortedSet", pool -> pool.sortedSet("n", TEXT));
        calls.put("scoredSet", pool -> pool.scoredSet("n", TEXT));
        calls.put("deque", pool -> pool.deque("n", TEXT));
        calls.put("value", pool -> pool.value("n", TEXT));
        calls.put("counter", pool -> pool.counter("n"));
        calls.put("queue", pool -> pool.queue("n", TEXT));
        calls.put("once", pool -> pool.once("n", Duration.ofHours(1), transaction -> 1));
        calls.put("put with a tag", pool -> cache(pool).put("k", "v", Set.of("tag")));
        calls.put("invalidateTag", pool -> cache(pool).invalidateTag("tag"));
      }
      case MULTI_ROW_TRANSACTIONS -> {
        calls.put("atomically", pool -> pool.atomically(transaction -> 1));
        calls.put("once", pool -> pool.once("n", Duration.ofHours(1), transaction -> 1));
        calls.put("put with a tag", pool -> cache(pool).put("k", "v", Set.of("tag")));
        calls.put(
            "write-behind",
            pool -> {
              BatchWriter<String, String> writer = new IdleWriter();
              pool.cache("n", TEXT, TEXT, options -> options.writeBehind(writer));
            });
        calls.put(
            "change feeds of caches",
            pool ->
                pool.cache(
                    "n",
                    TEXT,
                    TEXT,
                    options -> options.changes(ChangeOptions.keep(Duration.ofHours(1)))));
        calls.put(
            "change feeds",
            pool ->
                pool.map(
                    "n",
                    TEXT,
                    TEXT,
                    options -> options.changes(ChangeOptions.keep(Duration.ofHours(1)))));
      }
      case SNAPSHOTS -> {
        calls.put("map", pool -> pool.map("kept", TEXT, TEXT).snapshot().close());
        calls.put("set", pool -> pool.set("set", TEXT).snapshot().close());
        calls.put("sortedMap", pool -> pool.sortedMap("sorted", TEXT, TEXT).snapshot().close());
        calls.put("sortedSet", pool -> pool.sortedSet("sortedSet", TEXT).snapshot().close());
        calls.put("scoredSet", pool -> pool.scoredSet("scored", TEXT).snapshot().close());
        calls.put("table", pool -> pool.table("table", TEXT, TEXT, TEXT).snapshot().close());
        calls.put("deque", pool -> pool.deque("deque", TEXT).snapshot().close());
      }
      case RENAMES -> {
        calls.put("rename", pool -> pool.names().rename("kept", "n"));
        calls.put("renameReplacing", pool -> pool.names().renameReplacing("kept", "n"));
        calls.put("rename of a cache", pool -> pool.names().rename("cache", "n"));
        calls.put("copy", pool -> pool.names().copy("kept", "n"));
        calls.put("copyReplacing", pool -> pool.names().copyReplacing("kept", "n"));
      }
      case EXACT_COUNTS, SHARED -> {} // no call needs them
    }
    return calls;
  }

  /** Is never called. */
  private static final class IdleWriter implements BatchWriter<String, String> {
    @Override
    public void writeAll(Map<String, String> entries) {}

    @Override
    public void deleteAll(Set<String> keys) {}
  }

  private static PersistentCache<String, String> cache(Rockpool pool) {
    return pool.cache("cache", TEXT, TEXT);
  }

  @TestFactory
  Stream<DynamicTest> aCallIsRefusedWithTheWayOut() {
    return Stream.of(Capability.values())
        .flatMap(
            missing ->
                calls(missing).entrySet().stream()
                    .map(
                        call ->
                            DynamicTest.dynamicTest(
                                missing + ": " + call.getKey(),
                                () -> assertRefused(missing, call.getValue()))));
  }

  private static void assertRefused(Capability missing, Consumer<Rockpool> call) {
    try (Rockpool pool = Rockpool.at(o -> without(missing)).open()) {
      cache(pool).put("k", "v");
      if (missing != Capability.COLLECTIONS) {
        pool.map("kept", TEXT, TEXT).put("k", "v");
      }
      assertThatThrownBy(() -> call.accept(pool))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining(missing.name())
          .hasMessageContaining(missing.wayOut());
      assertThat(cache(pool).get("k")).isEqualTo("v");
      assertThat(pool.names().find("n").isPresent()).isFalse();
      if (missing != Capability.COLLECTIONS) {
        assertThat(pool.map("kept", TEXT, TEXT)).containsEntry("k", "v");
      }
    }
  }

  /** What only a directory has is no capability of engines. */
  @Test
  void whatNeedsFilesIsRefusedWithTheWayOut() {
    DirectoryTarget target = DirectoryTarget.at(directory.resolve("target"));
    Map<String, Consumer<Rockpool>> calls = new LinkedHashMap<>();
    calls.put("backup", pool -> pool.backups().make(target));
    calls.put("ship", pool -> pool.backups().ship(target, ShippingOptions.defaults()).close());
    try (Rockpool pool = Rockpool.at(o -> MemoryEngine.builder().build()).open()) {
      calls.forEach(
          (name, call) ->
              assertThatThrownBy(() -> call.accept(pool))
                  .as(name)
                  .isInstanceOf(UnsupportedOperationException.class)
                  .hasMessageContaining("Keep the data in a directory, or, if it is on"));
      assertThatThrownBy(pool::rotateKeys)
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("has no keys to replace");
    }
  }
}
