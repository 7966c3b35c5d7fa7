package io.rockpool.structure;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A part that keys have.
 *
 * @param also another part that they have, too
 */
record KeyPart<K>(KeyFilter.Kind kind, K part, @Nullable KeyPart<K> also) {
  KeyPart {
    Objects.requireNonNull(part, "part");
  }

  /** The filter on encoded keys. */
  static <K> KeyFilter filter(@Nullable KeyPart<K> parts, Function<K, byte[]> encoder) {
    KeyFilter filter = KeyFilter.NONE;
    for (KeyPart<K> next = parts; next != null; next = next.also) {
      filter = new KeyFilter(next.kind, encoder.apply(next.part), filter);
    }
    return filter;
  }
}
