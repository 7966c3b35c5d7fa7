package io.rockpool.error;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An argument exceeds one of the store's limits. Nothing was changed. */
public final class LimitExceededException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  private final String what;
  private final long limit;
  private final long requested;
  private final @Nullable String name;

  /**
   * Creates an exception for a limit.
   *
   * @param message what was tried, what was found and what to do
   * @param what what is limited, such as {@code key}
   * @param limit the most that is allowed
   * @param requested what was asked for, in the same unit
   * @param name the name of the cache or structure, or null
   */
  public LimitExceededException(
      String message, String what, long limit, long requested, @Nullable String name) {
    super(message);
    this.what = what;
    this.limit = limit;
    this.requested = requested;
    this.name = name;
  }

  /** What is limited, such as {@code key}, {@code value} or {@code name}. */
  public String what() {
    return what;
  }

  /** The most that is allowed: bytes, unless the message has another unit. */
  public long limit() {
    return limit;
  }

  /** What was asked for, in the unit of {@link #limit}. */
  public long requested() {
    return requested;
  }

  /** The name of the cache or structure in the store, if it is known. */
  public Optional<String> name() {
    return Optional.ofNullable(name);
  }
}
