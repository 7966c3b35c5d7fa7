package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the fingerprint of a mapped class depends on. */
final class MappingPrintTest {
  /** Constants whose texts are for people, such as those of a language. */
  enum Colour {
    RED,
    GREEN;

    private static String language = "en";

    @Override
    public String toString() {
      return language + " " + name();
    }
  }

  static class Car {
    Colour colour = Colour.RED;
  }

  @Test
  void theTextOfAConstantIsNoPartOfIt() {
    String before = MappingPrint.of(Car.class, "1");
    Colour.language = "pt";
    assertThat(MappingPrint.of(Car.class, "1")).isEqualTo(before);
  }
}
