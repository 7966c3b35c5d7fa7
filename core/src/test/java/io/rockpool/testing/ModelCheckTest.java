package io.rockpool.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ModelCheckTest {
  /** Fails at an "e" some time after a "b". */
  private static final class Faulty implements ModelCheck.World {
    private boolean seen;

    @Override
    public void step(Random random, Consumer<String> log) {
      String operation = String.valueOf((char) ('a' + random.nextInt(8)));
      log.accept(operation);
      seen |= operation.equals("b");
      assertThat(seen && operation.equals("e")).isFalse();
    }

    @Override
    public void close() {}
  }

  @Test
  void showsTheSeedAndTheShortestOperations() {
    assertThatThrownBy(() -> ModelCheck.run(Faulty::new, 500))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Failed with seed 1;")
        .hasMessageEndingWith("suffice:\n  b\n  e");
  }

  @Test
  void passesWhatDoesNotFail() {
    ModelCheck.run(
        () ->
            new ModelCheck.World() {
              @Override
              public void step(Random random, Consumer<String> log) {
                log.accept("nothing");
              }

              @Override
              public void close() {}
            },
        10);
  }
}
