package io.rockpool.internal.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Row;
import io.rockpool.engine.Space;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A method that changes records and is passed on without a log would be missing in feeds. */
final class LoggedSpaceTest {
  /** What returns something and may still change records, or returns a handle that may. */
  private static final Set<String> CHANGING = Set.of("transact", "expireAtIf", "withDurability");

  /** Reads this space and changes another. */
  private static final Set<String> READING = Set.of("copyTo");

  @Test
  void everyChangeOfASpaceIsLogged() {
    assertThat(names(LoggedSpace.class.getDeclaredMethods()))
        .containsAll(changes(Space.class))
        .containsAll(CHANGING);
  }

  @Test
  void everyChangeOfARowIsLogged() throws ClassNotFoundException {
    Class<?> row = Class.forName(LoggedSpace.class.getName() + "$LoggedRow");
    assertThat(names(row.getDeclaredMethods())).containsAll(changes(Row.class));
  }

  private static Set<String> changes(Class<?> type) {
    Set<String> changes =
        names(
            Arrays.stream(type.getMethods())
                .filter(method -> method.getReturnType() == void.class)
                .toArray(Method[]::new));
    changes.removeAll(READING);
    assertThat(changes).hasSizeGreaterThan(2);
    return changes;
  }

  private static Set<String> names(Method[] methods) {
    return Arrays.stream(methods).map(Method::getName).collect(Collectors.toSet());
  }
}
