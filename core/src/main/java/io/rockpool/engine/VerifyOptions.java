package io.rockpool.engine;

import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * How {@link Engine#verify} goes about it. Immutable: each method returns options that differ in
 * one point, as in {@code VerifyOptions.defaults().decodeValues(true).onProgress(bar::show)}.
 *
 * @param decodeValues whether each key and value is decoded too
 * @param onProgress is told how far it is, on the thread that verifies: at every file, and every
 *     1,024 records; what it throws ends the verification
 * @param stopWhen is asked as often whether to stop
 */
public record VerifyOptions(
    boolean decodeValues, Consumer<VerifyProgress> onProgress, BooleanSupplier stopWhen) {
  /** Records between two looks: some milliseconds, and no cost to speak of. */
  static final int PROGRESS_RECORDS = 1_024;

  private static final VerifyOptions DEFAULTS =
      new VerifyOptions(false, progress -> {}, () -> false);

  /** Checks the arguments. */
  public VerifyOptions {
    Objects.requireNonNull(onProgress, "onProgress");
    Objects.requireNonNull(stopWhen, "stopWhen");
  }

  /** Without decoding; tells no one, and stops only if the thread is interrupted. */
  public static VerifyOptions defaults() {
    return DEFAULTS;
  }

  /**
   * With or without decoding each key and value, of what is open: the classes of what is not are
   * not known. It calls the codecs, which may be a user's.
   */
  public VerifyOptions decodeValues(boolean decode) {
    return new VerifyOptions(decode, onProgress, stopWhen);
  }

  /** With this listener. */
  public VerifyOptions onProgress(Consumer<VerifyProgress> listener) {
    return new VerifyOptions(decodeValues, listener, stopWhen);
  }

  /** With this way to stop it, besides an interrupt of the thread: {@code stopped::get}. */
  public VerifyOptions stopWhen(BooleanSupplier condition) {
    return new VerifyOptions(decodeValues, onProgress, condition);
  }
}
