package io.rockpool.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.format.FormatPage.Example;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Executes each example of {@code docs/FORMAT.md}: what it says is what the classes write and read.
 */
final class FormatGoldenTest {
  static List<Example> golden() throws IOException {
    return FormatPage.examples("golden");
  }

  static List<Example> refused() throws IOException {
    return FormatPage.examples("refused");
  }

  static List<Example> derived() throws IOException {
    return FormatPage.examples("derived");
  }

  @ParameterizedTest
  @MethodSource("derived")
  void derivesWhatThePageSays(Example example) {
    byte[] derived = FormatPage.bucket(example.fields());
    assertThat(HexFormat.of().formatHex(derived)).isEqualTo(example.hex());
  }

  @ParameterizedTest
  @MethodSource("golden")
  void writesWhatThePageSays(Example example) {
    byte[] written = FormatPage.format(example).encode(example.fields());
    assertThat(HexFormat.of().formatHex(written)).isEqualTo(example.hex());
  }

  @ParameterizedTest
  @MethodSource("golden")
  void readsWhatThePageSays(Example example) {
    assertThat(FormatPage.format(example).decode(example.bytes())).isEqualTo(example.fields());
  }

  @ParameterizedTest
  @MethodSource("refused")
  void refusesWhatThePageSays(Example example) {
    assertThatThrownBy(() -> FormatPage.format(example).decode(example.bytes()))
        .isInstanceOf(CorruptStoreException.class);
  }

  @Test
  void thePageHasAnExampleOfEachFormat() throws IOException {
    Set<String> shown = golden().stream().map(Example::format).collect(Collectors.toSet());
    assertThat(shown).isEqualTo(FormatPage.FORMATS.keySet());
  }
}
