package io.rockpool.structure;

import io.rockpool.codec.TypeRef;
import io.rockpool.structure.StoreUnderTest.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.LinkedBlockingDeque;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On both ends of a deque that is soon full. */
@Tag("lincheck")
class PersistentDequeLinearizabilityTest {
  private static final int CAPACITY = 3;

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(names = {"MEMORY", "ROCKSDB"})
  void isLinearizable(Kind kind) {
    Linearizability.check(kind, directory, Tested.class, Model.class);
  }

  /** The operations, on a deque of either kind. */
  @Param(name = "element", gen = IntGen.class, conf = "1:3")
  public abstract static class Operations {
    abstract Deque<Integer> deque();

    @Operation
    public boolean offerFirst(@Param(name = "element") int element) {
      return deque().offerFirst(element);
    }

    @Operation
    public boolean offerLast(@Param(name = "element") int element) {
      return deque().offerLast(element);
    }

    @Operation
    public @Nullable Integer pollFirst() {
      return deque().pollFirst();
    }

    @Operation
    public @Nullable Integer pollLast() {
      return deque().pollLast();
    }

    @Operation
    public @Nullable Integer peekFirst() {
      return deque().peekFirst();
    }

    @Operation
    public @Nullable Integer peekLast() {
      return deque().peekLast();
    }

    @Operation
    public int size() {
      return deque().size();
    }

    @Operation
    public void clear() {
      deque().clear();
    }

    /** Moves the first element behind the last. */
    @Operation
    public @Nullable Integer rotate() {
      Integer first = deque().pollFirst();
      if (first != null) {
        deque().addLast(first);
      }
      return first;
    }

    /** What is in the deque at one time. */
    @Operation
    public List<Integer> all() {
      return new ArrayList<>(deque());
    }
  }

  /** The deque, empty again for each run. */
  public static final class Tested extends Operations {
    private final PersistentDeque<Integer> deque =
        Linearizability.store()
            .pool()
            .deque("tested", TypeRef.of(Integer.class), o -> o.capacity(CAPACITY));

    public Tested() {
      deque.pollFirst(CAPACITY);
    }

    @Override
    Deque<Integer> deque() {
      return deque;
    }

    @Override
    public @Nullable Integer rotate() {
      return deque.moveFirstTo(deque, DequeEnd.LAST);
    }

    @Override
    public List<Integer> all() {
      if (!Linearizability.hasSnapshots()) {
        return Linearizability.store().pool().atomically(transaction -> new ArrayList<>(deque));
      }
      try (Snapshot<List<Integer>> snapshot = deque.snapshot()) {
        return new ArrayList<>(snapshot.view());
      }
    }
  }

  /** The same operations on a deque of the JDK. */
  public static final class Model extends Operations {
    private final Deque<Integer> deque = new LinkedBlockingDeque<>(CAPACITY);

    @Override
    Deque<Integer> deque() {
      return deque;
    }
  }
}
