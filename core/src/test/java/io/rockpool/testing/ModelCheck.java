package io.rockpool.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Random operations on something and on a model of it, compared at every step. Where they differ,
 * it looks for a shorter list of operations that still fails, and shows that with the seed.
 */
public final class ModelCheck {
  /** How often a failing run is tried with fewer operations; each may open a store. */
  private static final int MAX_RETRIES = 300;

  private ModelCheck() {}

  /** What is tested, and its model: new and empty. */
  public interface World extends AutoCloseable {
    /**
     * Does one operation on both and compares what can be seen.
     *
     * @param random draws the operation; nothing else may decide which it is
     * @param log is told of the operation before it is done
     */
    void step(Random random, Consumer<String> log);

    @Override
    void close();
  }

  /** Opens a world. */
  @FunctionalInterface
  public interface Opener {
    World open();
  }

  /** Runs with each of the {@link Seeds}. */
  public static void run(Opener opener, int steps) {
    Seeds.all().forEach(seed -> run(opener, steps, seed));
  }

  private static void run(Opener opener, int steps, long seed) {
    List<Long> operations = new Random(seed).longs(steps).boxed().toList();
    Failure failure = tryOut(opener, operations);
    if (failure != null) {
      Failure shortest = shorten(opener, failure);
      throw new AssertionError(
          "Failed with seed "
              + seed
              + "; run it alone with -D"
              + Seeds.SEED_PROPERTY
              + "="
              + seed
              + ". Operations that suffice:\n  "
              + String.join("\n  ", shortest.log),
          shortest.cause);
    }
  }

  /** Leaves out as many operations as it can, in ever smaller pieces. */
  private static Failure shorten(Opener opener, Failure found) {
    Failure shortest = found;
    int retries = 0;
    for (int piece = found.operations.size() / 2; piece > 0; piece /= 2) {
      int from = 0;
      while (from < shortest.operations.size() && retries++ < MAX_RETRIES) {
        List<Long> fewer = new ArrayList<>(shortest.operations);
        fewer.subList(from, Math.min(from + piece, fewer.size())).clear();
        Failure failure = tryOut(opener, fewer);
        if (failure == null) {
          from += piece;
        } else {
          shortest = failure;
        }
      }
    }
    return shortest;
  }

  private record Failure(List<Long> operations, List<String> log, Throwable cause) {}

  /** Does the operations, up to the first that fails; null if none does. */
  private static Failure tryOut(Opener opener, List<Long> operations) {
    List<String> log = new ArrayList<>();
    try (World world = opener.open()) {
      for (int i = 0; i < operations.size(); i++) {
        try {
          world.step(new Random(operations.get(i)), log::add);
        } catch (AssertionError | RuntimeException e) {
          return new Failure(operations.subList(0, i + 1), log, e);
        }
      }
    }
    return null;
  }
}
