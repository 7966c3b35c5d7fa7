package io.rockpool.internal.engine;

import io.rockpool.error.StoreClosedException;
import org.jspecify.annotations.Nullable;

/** What the transactions that a thread begins and ends by calls share, whatever the engine. */
public abstract class AbstractBoundTransaction implements BoundTransaction {
  private final TransactionNotes notes;
  private final Thread thread = Thread.currentThread();
  private boolean suspended;
  private boolean ended;

  /** Why the transaction has ended while it was suspended. */
  private @Nullable StoreClosedException closed;

  /**
   * Takes over a run that has begun on the calling thread.
   *
   * @param notes those of the run
   */
  protected AbstractBoundTransaction(TransactionNotes notes) {
    this.notes = notes;
  }

  /** Applies all changes, or none; returns whether it did. */
  protected abstract boolean tryCommit();

  /** Ends the run; the actions registered for the end run after this. */
  protected abstract void leave();

  /** Detaches the run from the thread. */
  protected abstract void detach();

  /** Attaches the run to the thread again; ends it if the engine was closed. */
  protected abstract void attach();

  /** Throws if the transaction must not be used now. */
  protected final void check() {
    check(!suspended);
  }

  private void check(boolean usable) {
    if (closed != null) {
      throw closed;
    }
    if (!usable || ended || Thread.currentThread() != thread) {
      throw new IllegalStateException(
          "A transaction was used after its end, while it was suspended, or by another thread;"
              + " use it on its thread only.");
    }
  }

  /** Ends the transaction, which is attached. */
  protected final void end(boolean committed) {
    ended = true;
    try {
      leave();
    } finally {
      notes.end(committed);
    }
  }

  @Override
  public final boolean commit() {
    check();
    boolean committed = false;
    try {
      committed = tryCommit();
      return committed;
    } finally {
      end(committed);
    }
  }

  @Override
  public final void rollback() {
    if (!ended) {
      check();
      end(false);
    }
  }

  @Override
  public final void suspend() {
    check();
    detach();
    suspended = true;
  }

  @Override
  public final void resume() {
    check(suspended);
    try {
      attach();
      suspended = false;
    } catch (StoreClosedException e) {
      closed = e;
      ended = true;
      notes.end(false);
    }
  }

  @Override
  public final TransactionNotes.Savepoint savepoint() {
    check();
    return notes.savepoint();
  }

  @Override
  public final void rollbackTo(TransactionNotes.Savepoint savepoint) {
    check();
    notes.undoTo(savepoint);
  }
}
