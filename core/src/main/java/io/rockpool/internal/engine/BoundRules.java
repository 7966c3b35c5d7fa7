package io.rockpool.internal.engine;

/** What a {@link BoundTransaction} asks the layer that began it. */
public interface BoundRules {
  /** Throws if the transaction has run out of time. Called before each access of a row. */
  void checkTime();

  /**
   * The exception for an operation that conflicts with another transaction. The transaction can
   * only be rolled back then.
   */
  RuntimeException conflict(String message);
}
