package io.rockpool.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The inputs that fuzzing has found, and each of them cut in half, are read or refused. */
final class FuzzCorpusTest {
  @ParameterizedTest
  @EnumSource
  void isReadOrRefused(FuzzTarget target) throws IOException {
    List<byte[]> corpus = target.corpus();
    assertThat(corpus).hasSizeGreaterThan(100);
    for (byte[] input : corpus) {
      test(target, input);
      test(target, Arrays.copyOf(input, input.length / 2 + 1));
    }
  }

  private static void test(FuzzTarget target, byte[] input) {
    try {
      target.test(input);
    } catch (Throwable e) {
      throw new AssertionError(target + ": " + Arrays.toString(input), e);
    }
  }
}
