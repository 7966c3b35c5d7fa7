package io.rockpool.structure;

import io.rockpool.engine.SortRange;
import org.jspecify.annotations.Nullable;

/**
 * A filter on encoded keys: by prefix, suffix or content.
 *
 * @param also a filter that keys have to pass, too
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record KeyFilter(Kind kind, byte[] part, @Nullable KeyFilter also) {
  /** Accepts every key: each one starts with an empty part. */
  static final KeyFilter NONE = new KeyFilter(Kind.START, new byte[0], null);

  enum Kind {
    START,
    END,
    ANYWHERE
  }

  /** Narrows a range to the keys that can pass. */
  SortRange within(SortRange range) {
    SortRange narrowed = also == null ? range : also.within(range);
    if (kind != Kind.START) {
      return narrowed;
    }
    SortRange behind = narrowed.from(part, true);
    byte[] end = SortRange.successorOfPrefix(part);
    return end == null ? behind : behind.to(end, false);
  }

  /** Whether every key of {@link #within} passes. */
  boolean isRange() {
    return kind == Kind.START && (also == null || also.isRange());
  }

  boolean passes(byte[] key) {
    boolean passes =
        switch (kind) {
          case START -> Bytes.startsWith(key, part);
          case END -> Bytes.endsWith(key, part);
          case ANYWHERE -> Bytes.contains(key, part);
        };
    return passes && (also == null || also.passes(key));
  }
}
