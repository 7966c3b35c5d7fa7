package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.PublicApi;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The public API of this module is the one that is checked in. */
final class CoreApiTest {
  @Test
  void thePublicApiIsTheOneListed() throws Exception {
    PublicApi.check("rockpool-core", Rockpool.class);
  }

  /**
   * Users meet these types in completions and in the javadoc. Lower a number when there are fewer.
   */
  @Test
  void thereAreNoMorePublicTypes() throws Exception {
    List<String> types =
        PublicApi.of(Rockpool.class).stream().filter(line -> !line.startsWith("  ")).toList();
    List<String> ofEngines =
        types.stream().filter(type -> type.contains(" io.rockpool.engine.")).toList();
    assertThat(ofEngines).as("for authors of engines").hasSizeLessThanOrEqualTo(38);
    assertThat(types.size() - ofEngines.size()).as("for users").isLessThanOrEqualTo(150);
  }
}
