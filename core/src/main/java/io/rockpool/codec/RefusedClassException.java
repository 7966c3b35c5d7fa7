package io.rockpool.codec;

/**
 * Stops Fory at a class that is not allowed; {@link ForyCodec} turns it into the caller's error.
 */
final class RefusedClassException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String refusal;
  private final String className;

  RefusedClassException(Class<?> type, String refusal) {
    super(refusal);
    this.refusal = refusal;
    this.className = type.getName();
  }

  String className() {
    return className;
  }

  String refusal() {
    return refusal;
  }
}
