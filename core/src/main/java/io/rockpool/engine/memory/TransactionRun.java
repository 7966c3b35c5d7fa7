package io.rockpool.engine.memory;

import io.rockpool.engine.RowTransaction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One run of a transaction: what it read and changed, and how it ended.
 *
 * @param <R> the type of the result
 */
final class TransactionRun<R extends @Nullable Object> {
  private final RowView view;
  private @Nullable R result;
  private @Nullable Throwable thrown;

  TransactionRun(RowView view, RowTransaction<R> transaction) {
    this.view = view;
    try {
      result = transaction.run(view);
    } catch (RuntimeException | Error e) {
      thrown = e;
    } finally {
      view.end();
    }
  }

  /**
   * Applies the run's changes, or throws its exception; returns false if the transaction must run
   * again.
   *
   * @param apply applies the changes of a view if all that was read is unchanged
   */
  boolean commit(Predicate<RowView> apply, Adversary adversary) {
    if (thrown instanceof RuntimeException e) {
      throw e;
    }
    if (thrown instanceof Error e) {
      throw e;
    }
    if (!view.hasChanges()) {
      return true;
    }
    return !adversary.conflicts() && adversary.write("A transaction", () -> apply.test(view));
  }

  @SuppressWarnings("NullAway") // null only where R allows it
  R result() {
    return result;
  }

  /**
   * Whether this run and another on the same row had the same effect, as far as it can be compared.
   */
  boolean isLike(TransactionRun<R> other) {
    return view.changesSameAs(other.view)
        && (thrown == null
            ? other.thrown == null && Likeness.possible(result, other.result)
            : other.thrown != null && thrown.getClass() == other.thrown.getClass());
  }
}
