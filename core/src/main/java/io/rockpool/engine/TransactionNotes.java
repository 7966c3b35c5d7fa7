package io.rockpool.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one run of {@link Engine#atomically} has to remember: how to undo its changes, and what to
 * do when it has ended. For engines. Not thread-safe.
 */
public final class TransactionNotes {
  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

  private final List<Runnable> undo = new ArrayList<>();
  private final List<Runnable> onCommit = new ArrayList<>();
  private final List<Runnable> always = new ArrayList<>();

  /** Nothing noted yet. */
  public TransactionNotes() {}

  /**
   * Notes how a change that is made now can be undone.
   *
   * @param undoing takes the change back, once every later one was
   */
  public void changed(Runnable undoing) {
    undo.add(undoing);
  }

  /**
   * Notes an action for when the transaction has committed.
   *
   * @param action the action
   */
  public void afterCommit(Runnable action) {
    onCommit.add(Objects.requireNonNull(action, "action"));
  }

  /**
   * Notes an action for when the run has ended, well or not.
   *
   * @param action the action
   */
  public void afterTransaction(Runnable action) {
    always.add(Objects.requireNonNull(action, "action"));
  }

  /**
   * Does a part of the run; if it throws, undoes its changes and forgets its actions for a commit.
   *
   * @param part the part
   * @param <R> what it returns
   * @return what it returned
   */
  public <R extends @Nullable Object> R part(Supplier<R> part) {
    int changes = undo.size();
    int actions = onCommit.size();
    boolean done = false;
    try {
      R result = part.get();
      done = true;
      return result;
    } finally {
      if (!done) {
        for (int i = undo.size() - 1; i >= changes; i--) {
          undo.remove(i).run();
        }
        onCommit.subList(actions, onCommit.size()).clear();
      }
    }
  }

  /**
   * Does what there is to do when the run has ended; what an action throws is logged.
   *
   * @param committed whether the transaction has committed
   */
  public void end(boolean committed) {
    always.forEach(TransactionNotes::run);
    if (committed) {
      onCommit.forEach(TransactionNotes::run);
    }
  }

  private static void run(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | Error e) {
      LOG.error(
          "An action after a transaction failed; the transaction and the other actions did not.",
          e);
    }
  }
}
