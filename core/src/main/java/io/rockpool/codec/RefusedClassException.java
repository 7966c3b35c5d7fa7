package io.rockpool.codec;

/**
 * Stops Fory at a class that is not allowed; {@link ForyCodec} turns it into the caller's error.
 */
final class RefusedClassException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String refusal;

  RefusedClassException(String refusal) {
    super(refusal);
    this.refusal = refusal;
  }

  String refusal() {
    return refusal;
  }
}
