package io.rockpool.store;

import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Options of {@code Engine.verify}. Immutable: each method returns changed options, as in {@code
 * VerifyOptions.defaults().decodeValues(true).onProgress(bar::show)}.
 *
 * @param decodeValues whether each key and value is decoded too
 * @param onProgress receives the progress on the verifying thread, after every file and every 1,024
 *     records; an exception ends the verification
 * @param stopWhen returns whether to stop; called as often
 */
public record VerifyOptions(
    boolean decodeValues, Consumer<VerifyProgress> onProgress, BooleanSupplier stopWhen) {
  /** Records between two progress reports: some milliseconds, at negligible cost. */
  public static final int PROGRESS_RECORDS = 1_024;

  private static final VerifyOptions DEFAULTS =
      new VerifyOptions(false, progress -> {}, () -> false);

  /** Checks the arguments. */
  public VerifyOptions {
    Objects.requireNonNull(onProgress, "onProgress");
    Objects.requireNonNull(stopWhen, "stopWhen");
  }

  /** Without decoding, without a progress listener; stops only if the thread is interrupted. */
  public static VerifyOptions defaults() {
    return DEFAULTS;
  }

  /**
   * With or without decoding each key and value of open names; the classes of other names are not
   * known. It calls the codecs, which may be user code.
   */
  public VerifyOptions decodeValues(boolean decode) {
    return new VerifyOptions(decode, onProgress, stopWhen);
  }

  /** With this progress listener. */
  public VerifyOptions onProgress(Consumer<VerifyProgress> listener) {
    return new VerifyOptions(decodeValues, listener, stopWhen);
  }

  /** With this stop condition, besides an interrupt of the thread: {@code stopped::get}. */
  public VerifyOptions stopWhen(BooleanSupplier condition) {
    return new VerifyOptions(decodeValues, onProgress, condition);
  }
}
