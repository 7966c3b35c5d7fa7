package io.rockpool.sample.atlas;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ClassSurveyorTest {
  /** What the surveyor is sent to look at. */
  abstract static class Terrain extends Number implements Comparator<String> {
    private static final long serialVersionUID = 1L;

    private StringBuilder heights = new StringBuilder("hill");

    /** One way straight on, two ifs, three cases and a catch. */
    int winding(int turn) {
      try {
        if (turn > 0 && heights.isEmpty()) {
          return 1;
        }
      } catch (IllegalStateException lost) {
        return 2;
      }
      return switch (turn) {
        case 10 -> 3;
        case 20 -> 4;
        case 30 -> 5;
        default -> 6;
      };
    }
  }

  @Test
  void aClassIsSummedUp() throws IOException {
    ClassSummary summary = ClassSurveyor.survey(bytesOf(Terrain.class));

    assertThat(summary.name()).isEqualTo(Terrain.class.getName());
    assertThat(summary.superclass()).isEqualTo("java.lang.Number");
    assertThat(summary.interfaces()).containsExactly("java.util.Comparator");
    assertThat(summary.methods()).as("winding and the constructor").isEqualTo(2);
    assertThat(summary.fields()).isEqualTo(2);
    assertThat(summary.strings()).isEqualTo(1);
    assertThat(summary.deepestMethod()).isEqualTo("winding");
    assertThat(summary.deepestComplexity()).isEqualTo(1 + 2 + 3 + 1);
    assertThat(summary.instructions()).isGreaterThan(20);
    assertThat(summary.references())
        .isSorted()
        .containsAll(
            List.of(
                "java.lang.IllegalStateException",
                "java.lang.Number",
                "java.lang.StringBuilder",
                "java.util.Comparator"))
        .doesNotContain(Terrain.class.getName());
  }

  @Test
  void objectExtendsNothing() throws IOException {
    assertThat(ClassSurveyor.survey(bytesOf(Object.class)).superclass()).isNull();
  }

  private static byte[] bytesOf(Class<?> type) throws IOException {
    String resource = "/" + type.getName().replace('.', '/') + ".class";
    try (InputStream in = type.getResourceAsStream(resource)) {
      return in.readAllBytes();
    }
  }
}
