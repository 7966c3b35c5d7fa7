package io.rockpool.structure;

import io.rockpool.engine.Expiry;
import io.rockpool.internal.format.ScoredSetFormat;

/** The score and expiry of an element of a scored set. */
record Member(double score, long expiryMillis) {
  static Member read(byte[] bytes, int offset, int length) {
    return new Member(
        ScoredSetFormat.memberScore(bytes, offset, length),
        ScoredSetFormat.memberExpiryMillis(bytes, offset, length));
  }

  boolean expires() {
    return expiryMillis != Expiry.NEVER;
  }

  Member withScore(double newScore) {
    return new Member(newScore, expiryMillis);
  }

  Member withExpiry(long newExpiryMillis) {
    return new Member(score, newExpiryMillis);
  }
}
