package io.rockpool.internal.encryption;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Engine;
import io.rockpool.internal.engine.EngineUpkeep;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A default method would answer in place of the engine below. */
final class EncryptedUpkeepTest {
  /** They call methods that the engine below answers. */
  private static final Set<String> DERIVED = Set.of("require", "runWithDurability");

  @Test
  void everyMethodIsPassedOn() {
    List<String> missing = new ArrayList<>();
    Stream.of(Engine.class, EngineUpkeep.class)
        .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
        .filter(Method::isDefault)
        .filter(method -> !DERIVED.contains(method.getName()))
        .filter(method -> !isOverridden(method))
        .forEach(method -> missing.add(method.toString()));
    assertThat(missing).isEmpty();
  }

  private static boolean isOverridden(Method method) {
    return Arrays.stream(EncryptedEngine.class.getDeclaredMethods())
        .anyMatch(
            own ->
                own.getName().equals(method.getName())
                    && Arrays.equals(own.getParameterTypes(), method.getParameterTypes()));
  }
}
