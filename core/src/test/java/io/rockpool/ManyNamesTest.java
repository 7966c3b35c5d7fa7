package io.rockpool;

import com.sun.management.ThreadMXBean;
import io.rockpool.testing.EnteredFiles;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a call on a name costs does not depend on how many other names there are. The cost is the
 * number of entered methods and allocated bytes, which no other process changes.
 */
final class ManyNamesTest {
  private static final int FEW = 20;
  private static final int MANY = 150;

  /** A call is repeated on several names, as one may have to make room in a buffer, for example. */
  private static final int CALLS = 8;

  /** How much more a call may cost: hash tables have longer chains, and numbers more digits. */
  private static final double MORE = 1.05;

  private static final int MORE_METHODS = 10;
  private static final int MORE_BYTES = 1_000;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @TempDir Path directory;

  private record Cost(double methods, double bytes) {
    Cost min(Cost other) {
      return new Cost(Math.min(methods, other.methods), Math.min(bytes, other.bytes));
    }
  }

  @Test
  void aNameCostsTheSameAmongMany() throws Exception {
    Map<String, Cost> few = costs(FEW);
    Map<String, Cost> many = costs(MANY);
    SoftAssertions grown = new SoftAssertions();
    few.forEach(
        (call, cost) -> {
          String what = call + ": " + cost + " among " + FEW + " names, " + many.get(call);
          grown
              .assertThat(many.get(call).methods)
              .as(what)
              .isLessThan(MORE * cost.methods + MORE_METHODS);
          grown
              .assertThat(many.get(call).bytes)
              .as(what)
              .isLessThan(MORE * cost.bytes + MORE_BYTES);
        });
    grown.assertAll();
  }

  private Map<String, Cost> costs(int names) throws Exception {
    Map<String, Cost> costs = new LinkedHashMap<>();
    run("call", names, (call, run) -> costs.put(call, least(run)));
    run("callsOnAll", names, (call, run) -> costs.put(call, perName(run, names)));
    return costs;
  }

  @SuppressWarnings("unchecked") // what the methods return is loaded by the JDK's loader
  private void run(String which, Integer names, BiConsumer<String, Runnable> costs)
      throws Exception {
    try (EnteredFiles loader = new EnteredFiles();
        AutoCloseable calls =
            (AutoCloseable)
                loader
                    .loadClass(CallsOnNames.class.getName())
                    .getDeclaredConstructor(Path.class, Integer.class)
                    .newInstance(directory.resolve(which + names), names)) {
      ((Map<String, Runnable>) calls.getClass().getMethod(which).invoke(calls)).forEach(costs);
    }
  }

  private static Cost least(Runnable call) {
    Cost least = cost(call);
    for (int i = 1; i < CALLS; i++) {
      least = least.min(cost(call));
    }
    return least;
  }

  private static Cost perName(Runnable call, int names) {
    Cost all = cost(call);
    return new Cost(all.methods / names, all.bytes / names);
  }

  private static Cost cost(Runnable call) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    long methods = EnteredFiles.methodsOf(call);
    return new Cost(methods, THREADS.getCurrentThreadAllocatedBytes() - before);
  }
}
