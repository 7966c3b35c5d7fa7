package io.rockpool.postgresql;

/**
 * A statement found no current generation of its space: the space has expired and is to be renewed,
 * or it was dropped or reset.
 */
final class NoGeneration extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoGeneration() {
    super("A space has expired or has ended.", null, false, false);
  }
}
