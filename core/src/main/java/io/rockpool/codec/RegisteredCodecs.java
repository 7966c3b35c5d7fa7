package io.rockpool.codec;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The codecs that an application has registered, by type. */
record RegisteredCodecs(Map<TypeRef<?>, Codec<?>> byType) {
  RegisteredCodecs {
    byType = Map.copyOf(byType);
  }

  /** Returns the codec that was registered for a type, or null. */
  @Nullable Codec<?> of(TypeRef<?> type) {
    return byType.get(type);
  }

  /** Returns the class of a name for which a codec was registered, or null. */
  @Nullable Class<?> classNamed(String name) {
    for (TypeRef<?> type : byType.keySet()) {
      if (type.type() instanceof Class<?> known && known.getName().equals(name)) {
        return known;
      }
    }
    return null;
  }
}
