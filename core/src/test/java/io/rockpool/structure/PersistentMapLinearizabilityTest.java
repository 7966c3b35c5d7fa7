package io.rockpool.structure;

import io.rockpool.Rockpool;
import io.rockpool.structure.StoreUnderTest.Kind;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On two keys, which lie in two rows; what concerns both is a transaction, or a snapshot. */
@Tag("lincheck")
class PersistentMapLinearizabilityTest {
  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(names = {"MEMORY", "ROCKSDB"})
  void isLinearizable(Kind kind) {
    Linearizability.check(kind, directory, Tested.class, Model.class);
  }

  /** The operations, on a map of either kind. */
  @Param(name = "key", gen = IntGen.class, conf = "1:2")
  @Param(name = "value", gen = IntGen.class, conf = "1:3")
  public abstract static class Operations {
    abstract Map<Integer, Integer> map();

    @Operation
    public @Nullable Integer get(@Param(name = "key") int key) {
      return map().get(key);
    }

    @Operation
    public @Nullable Integer put(@Param(name = "key") int key, @Param(name = "value") int value) {
      return map().put(key, value);
    }

    @Operation
    public @Nullable Integer putIfAbsent(
        @Param(name = "key") int key, @Param(name = "value") int value) {
      return map().putIfAbsent(key, value);
    }

    @Operation
    public @Nullable Integer remove(@Param(name = "key") int key) {
      return map().remove(key);
    }

    @Operation
    public boolean removeValue(@Param(name = "key") int key, @Param(name = "value") int value) {
      return map().remove(key, value);
    }

    @Operation
    public boolean replace(
        @Param(name = "key") int key,
        @Param(name = "value") int expected,
        @Param(name = "value") int value) {
      return map().replace(key, expected, value);
    }

    @Operation
    public @Nullable Integer merge(@Param(name = "key") int key, @Param(name = "value") int value) {
      return map().merge(key, value, Integer::sum);
    }

    @Operation
    public void clear() {
      map().clear();
    }

    /** Lets the two keys change their values. */
    @Operation
    public List<@Nullable Integer> exchange() {
      Integer one = map().remove(1);
      Integer two = map().remove(2);
      if (one != null) {
        map().put(2, one);
      }
      if (two != null) {
        map().put(1, two);
      }
      return Arrays.asList(one, two);
    }

    /** What both keys have at one time. */
    @Operation
    public Map<Integer, Integer> both() {
      return new HashMap<>(map());
    }
  }

  /** The map, empty again for each run. */
  public static final class Tested extends Operations {
    private final Rockpool pool = Linearizability.store().pool();
    private final PersistentMap<Integer, Integer> map =
        pool.map("tested", Integer.class, Integer.class);

    public Tested() {
      map.remove(1);
      map.remove(2);
    }

    @Override
    Map<Integer, Integer> map() {
      return map;
    }

    @Override
    public List<@Nullable Integer> exchange() {
      return pool.atomically(transaction -> super.exchange());
    }

    @Override
    public Map<Integer, Integer> both() {
      if (!Linearizability.hasSnapshots()) {
        return pool.atomically(transaction -> map.getAll(List.of(1, 2)));
      }
      try (Snapshot<Map<Integer, Integer>> snapshot = map.snapshot()) {
        return new HashMap<>(snapshot.view());
      }
    }
  }

  /** The same operations on a map of the JDK. */
  public static final class Model extends Operations {
    private final Map<Integer, Integer> map = new HashMap<>();

    @Override
    Map<Integer, Integer> map() {
      return map;
    }
  }
}
