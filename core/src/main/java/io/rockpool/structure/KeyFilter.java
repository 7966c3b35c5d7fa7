package io.rockpool.structure;

import io.rockpool.engine.SortRange;

/** A filter on encoded keys: by prefix, suffix or content. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record KeyFilter(Kind kind, byte[] part) {
  /** Accepts every key: each one starts with an empty part. */
  static final KeyFilter NONE = new KeyFilter(Kind.START, new byte[0]);

  enum Kind {
    START,
    END,
    ANYWHERE
  }

  /** Narrows a range to the keys that can pass. */
  SortRange within(SortRange range) {
    if (!isRange()) {
      return range;
    }
    SortRange behind = range.from(part, true);
    byte[] end = SortRange.successorOfPrefix(part);
    return end == null ? behind : behind.to(end, false);
  }

  /** Whether every key of {@link #within} passes. */
  boolean isRange() {
    return kind == Kind.START;
  }

  boolean passes(byte[] key) {
    return switch (kind) {
      case START -> Bytes.startsWith(key, part);
      case END -> Bytes.endsWith(key, part);
      case ANYWHERE -> Bytes.contains(key, part);
    };
  }
}
