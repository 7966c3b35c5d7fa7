package io.rockpool.redis;

/** The name of a space has another space now, with which its handles continue. */
final class SpaceMovedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  SpaceMovedException() {
    super("The space has moved.");
  }
}
