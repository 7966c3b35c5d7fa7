package io.rockpool.structure;

import io.rockpool.engine.SortRange;

/** What an encoded key must begin with, end with or hold. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record KeyFilter(Kind kind, byte[] part) {
  /** Every key begins with nothing. */
  static final KeyFilter NONE = new KeyFilter(Kind.START, new byte[0]);

  enum Kind {
    START,
    END,
    ANYWHERE
  }

  /** The part of a range outside of which nothing passes. */
  SortRange within(SortRange range) {
    if (!isRange()) {
      return range;
    }
    SortRange behind = range.from(part, true);
    byte[] end = SortRange.successorOfPrefix(part);
    return end == null ? behind : behind.to(end, false);
  }

  /** Whether all of {@link #within} passes. */
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
