package io.rockpool.codec;

import org.jspecify.annotations.Nullable;

/**
 * Stops Fory at a class that is not allowed; {@link ForyCodec} turns it into the caller's error.
 */
final class RefusedClassException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final String refusal;
  private final String className;

  RefusedClassException(Class<?> type, String refusal) {
    this(type.getName(), refusal, null);
  }

  RefusedClassException(String className, String refusal, @Nullable Throwable cause) {
    super(refusal, cause);
    this.refusal = refusal;
    this.className = className;
  }

  String className() {
    return className;
  }

  String refusal() {
    return refusal;
  }
}
