package io.rockpool.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class FlatnessTest {
  private static Sample sample(int number, double p99, double heap, double resident, long files) {
    return new Sample(number * 10L, 1_000, 20, p99, heap, resident, 100, files, 0);
  }

  private static List<String> problems(IntFunction<Sample> sample) {
    return Flatness.problems(IntStream.rangeClosed(1, 180).mapToObj(sample).toList());
  }

  @Test
  void whatGoesUpAndDownIsFlat() {
    assertThat(
            problems(
                number ->
                    sample(
                        number,
                        number % 7 == 0 ? 5_000 : 900,
                        50 + number % 20 * 10,
                        number < 60 ? 300 + number : 500 + number % 5,
                        40 + number % 11)))
        .isEmpty();
  }

  @Test
  void whatGrowsOrBecomesSlowIsNamed() {
    assertThat(problems(number -> sample(number, 900, number, 500, 40)))
        .singleElement()
        .asString()
        .startsWith("heap");
    assertThat(problems(number -> sample(number, 900, 50, 400 + number * 2, 40)))
        .singleElement()
        .asString()
        .startsWith("resident");
    assertThat(problems(number -> sample(number, 900, 50, 500, number)))
        .singleElement()
        .asString()
        .startsWith("files");
    assertThat(problems(number -> sample(number, number < 120 ? 900 : 2_000, 50, 500, 40)))
        .singleElement()
        .asString()
        .startsWith("p99");
  }
}
