package io.rockpool.postgresql;

/** What became of a write whose connection was lost before the answer. */
enum Outcome {
  /** It was made. */
  APPLIED,
  /** It was not made, and never will be. */
  NOT_APPLIED,
  /** Nobody knows: another write came after it. */
  UNKNOWN
}
