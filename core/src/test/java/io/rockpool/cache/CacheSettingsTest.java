package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Options, their descriptions and their methods. */
class CacheSettingsTest {
  private static final CacheOptions<String, String> DEFAULTS = CacheOptions.defaults();

  private static List<Object> examples(CacheOption<?> option) {
    return switch (option.kind()) {
      case NUMBER, BYTES -> List.of(5L, Long.MAX_VALUE);
      case HOT_SIZE -> List.of(HotSize.entries(5), HotSize.bytes(0), HotSize.bytes(64 << 20));
      case FRACTION -> List.of(0.25);
      case DURATION -> List.of(Duration.ofSeconds(1, 5));
      case FLAG -> List.of(true, false);
      case CHOICE -> List.of((Object[]) option.type().getEnumConstants());
      case TEXT -> List.of("", "a b");
      case CODE -> throw new AssertionError(option + " has no text");
    };
  }

  @Test
  void theListHasEveryDescription() throws IllegalAccessException {
    for (var field : CacheSettings.class.getFields()) {
      if (field.getType() == CacheOption.class) {
        assertThat(CacheSettings.OPTIONS).contains((CacheOption<?>) field.get(null));
      }
    }
  }

  @Test
  void everyDescriptionHasItsTwoMethods() throws ReflectiveOperationException {
    for (CacheOption<?> option : CacheSettings.OPTIONS) {
      for (Object value : examples(option)) {
        Method setter =
            Arrays.stream(CacheSettings.class.getDeclaredMethods())
                .filter(it -> it.getName().equals(option.name()) && it.getParameterCount() == 1)
                .findAny()
                .orElseThrow();
        Object set = setter.invoke(DEFAULTS, value);
        assertThat(((CacheSettings<?>) set).values().get(option)).isEqualTo(value);
        Object read = CacheSettings.class.getMethod(option.name()).invoke(set);
        assertThat(read).asString().isEqualTo(read.getClass().getSimpleName() + "[" + value + "]");
      }
    }
  }

  private static <T> void assertHasText(CacheOption<T> option, Object value) {
    T typed = option.type().cast(value);
    assertThat(option.parse(option.format(typed))).isEqualTo(typed);
  }

  @Test
  void everyValueHasAText() {
    CacheSettings.OPTIONS.forEach(
        option -> examples(option).forEach(value -> assertHasText(option, value)));
    assertThatThrownBy(() -> CacheSettings.JITTER.parse("1.5"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("jitter is 1.5");
  }

  @Test
  void theLastSizeInMemoryCounts() {
    assertThat(DEFAULTS.hotEntries(5).hotBytes(7)).isEqualTo(DEFAULTS.hotSize(HotSize.bytes(7)));
    assertThat(DEFAULTS.hotBytes(7).hotEntries(5)).isEqualTo(DEFAULTS.hotSize(HotSize.entries(5)));
    assertThat(DEFAULTS.hotBytes(7)).hasSameHashCodeAs(DEFAULTS.hotBytes(7));
    assertThat(DEFAULTS.hotBytes(5).setAll(DEFAULTS.hotEntries(5).values()))
        .isEqualTo(DEFAULTS.hotEntries(5))
        .isNotEqualTo(DEFAULTS.hotBytes(5));
    assertThatThrownBy(() -> DEFAULTS.hotBytes(-1)).hasMessageContaining("hotSize is -1B; give 0");
  }

  @Test
  void aDefaultThatIsSetReplacesAKeptOption() {
    OptionValues kept = DEFAULTS.jitter(0.1).values();
    assertThat(DEFAULTS.values().orElse(kept)).isEqualTo(kept);
    assertThat(DEFAULTS.jitter(0).values().orElse(kept).get(CacheSettings.JITTER)).isZero();
  }
}
