package io.rockpool.postgresql;

/** What became of a write whose connection was lost before the answer. */
enum WriteOutcome {
  /** It was made. */
  APPLIED,
  /** It was not made, and never will be. */
  NOT_APPLIED,
  /** The server still runs it; ask again. */
  RUNNING,
  /** Another write came after it, so nothing shows what became of it. */
  UNKNOWN
}
