package io.rockpool.internal.engine;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The sweeps of the layers above an engine, see {@link EngineUpkeep#whenReclaiming}. */
public final class LayerSweeps {
  private final List<Supplier<List<BooleanSupplier>>> layers = new CopyOnWriteArrayList<>();

  /** Starts without sweeps. */
  public LayerSweeps() {}

  /** Adds the sweeps of a layer. */
  public void add(Supplier<List<BooleanSupplier>> sweeps) {
    layers.add(Objects.requireNonNull(sweeps, "sweeps"));
  }

  /** Runs all sweeps that are due to their ends; then throws the last exception of one. */
  public void run() {
    List<BooleanSupplier> all = layers.stream().flatMap(layer -> layer.get().stream()).toList();
    @Nullable RuntimeException failure = null;
    for (BooleanSupplier sweep : all) {
      try {
        boolean more = true;
        while (more) {
          more = sweep.getAsBoolean();
        }
      } catch (RuntimeException e) {
        failure = e;
      }
    }
    Upkeep.rethrow(failure);
  }
}
