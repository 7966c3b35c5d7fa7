package io.rockpool.comparison;

import io.rockpool.Rockpool;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A type of structures that does what a type of Redis does: random operations on both. */
abstract class ComparedType {
  final RedisClient redis;
  Random random = new Random(0);

  private final List<Runnable> steps = new ArrayList<>();
  private final List<Runnable> stepsOutside = new ArrayList<>();

  ComparedType(RedisClient redis) {
    this.redis = redis;
  }

  /** Opens the structures. */
  abstract void open(Rockpool pool);

  /** The keys of the values in Redis. */
  abstract List<String> keys();

  /** Compares the whole content of one structure and the value of its key. */
  abstract void compare(int index);

  /** Adds an operation. It may run inside a transaction. */
  final void step(Runnable step) {
    steps.add(step);
  }

  /** Adds an operation that a transaction rejects. */
  final void stepOutside(Runnable step) {
    stepsOutside.add(step);
  }

  /** Runs one operation. */
  final void run(Random drawn, boolean inTransaction) {
    random = drawn;
    int choices = steps.size() + (inTransaction ? 0 : stepsOutside.size());
    int choice = random.nextInt(choices);
    (choice < steps.size() ? steps.get(choice) : stepsOutside.get(choice - steps.size())).run();
  }

  /** The arguments of a command: some words, then those of a list. */
  static Object[] words(List<?> rest, Object... first) {
    List<Object> words = new ArrayList<>(List.of(first));
    words.addAll(rest);
    return words.toArray();
  }
}
