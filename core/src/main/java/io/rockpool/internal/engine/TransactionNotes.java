package io.rockpool.internal.engine;

import io.rockpool.engine.CommitLock;
import io.rockpool.engine.Engine;
import io.rockpool.internal.logging.LoggerNames;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the runs of one {@link Engine#atomically} register: how to undo changes, actions for the end
 * of a run, and the {@link CommitLock}s to hold. For engines, which call {@link #begin} before each
 * run, {@link #lockToCommit} before its commit, and {@link #end} after it. Not thread-safe.
 */
public final class TransactionNotes {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.ENGINE);

  private final List<Runnable> undo = new ArrayList<>();
  private final List<Runnable> onCommit = new ArrayList<>();
  private final List<Runnable> always = new ArrayList<>();
  private final List<Message> messages = new ArrayList<>();
  private final List<CommitLock> held = new ArrayList<>();

  /** The locks that an earlier run could not acquire while it held rows. */
  private NavigableSet<CommitLock> wanted = Collections.emptyNavigableSet();

  private record Message(Runnable told, @Nullable CommitLock lock) {}

  /** A place in a run: how many changes, actions and messages were registered before it. */
  public record Savepoint(int changes, int actions, int messages) {}

  /** Starts empty. */
  public TransactionNotes() {}

  /**
   * Begins a run that holds no row yet: forgets the previous run, and waits for the locks it could
   * not acquire.
   *
   * @throws IllegalStateException if the wait for one of them would never end; it holds none then
   */
  public void begin() {
    undo.clear();
    onCommit.clear();
    always.clear();
    messages.clear();
    boolean begun = false;
    try {
      wanted.forEach(
          lock -> {
            lock.lock();
            held.add(lock);
          });
      begun = true;
    } finally {
      if (!begun) {
        end(false);
      }
    }
  }

  /**
   * Acquires the locks of all messages without waiting, since the run holds rows.
   *
   * @return whether it has them all; if not, the run must not commit, and the next one begins with
   *     them
   */
  public boolean lockToCommit() {
    if (messages.isEmpty()) {
      return true;
    }
    NavigableSet<CommitLock> missing = new TreeSet<>();
    messages.stream()
        .map(Message::lock)
        .filter(lock -> lock != null && !held.contains(lock))
        .forEach(missing::add);
    for (CommitLock lock : missing) {
      if (!lock.tryLock()) {
        missing.addAll(wanted);
        wanted = missing;
        return false;
      }
      held.add(lock);
    }
    return true;
  }

  /**
   * Registers how to undo a change.
   *
   * @param undoing undoes the change, after every later one was undone
   */
  public void changed(Runnable undoing) {
    undo.add(undoing);
  }

  /** Registers an action to run after the commit. */
  public void afterCommit(Runnable action) {
    onCommit.add(Objects.requireNonNull(action, "action"));
  }

  /**
   * Registers a message to send after the commit; see {@link Engine#tellAfterCommit}.
   *
   * @param action sends it
   * @param lock what is held from before the commit until the message was sent, or null
   */
  public void tellAfterCommit(Runnable action, @Nullable CommitLock lock) {
    messages.add(new Message(Objects.requireNonNull(action, "action"), lock));
  }

  /** Registers an action for the end of the run, whether it commits or not. */
  public void afterTransaction(Runnable action) {
    always.add(Objects.requireNonNull(action, "action"));
  }

  /**
   * Runs a part of the run. If the part throws, its changes are undone and its actions for a commit
   * are forgotten.
   */
  public <R extends @Nullable Object> R part(Supplier<R> part) {
    Savepoint start = savepoint();
    boolean done = false;
    try {
      R result = part.get();
      done = true;
      return result;
    } finally {
      if (!done) {
        undoTo(start);
      }
    }
  }

  /** The current place in the run. */
  public Savepoint savepoint() {
    return new Savepoint(undo.size(), onCommit.size(), messages.size());
  }

  /** Undoes the changes since a place, and forgets the actions and messages registered since. */
  public void undoTo(Savepoint place) {
    for (int i = undo.size() - 1; i >= place.changes; i--) {
      undo.remove(i).run();
    }
    onCommit.subList(place.actions, onCommit.size()).clear();
    messages.subList(place.messages, messages.size()).clear();
  }

  /**
   * Runs the actions for the end of the run and releases its locks; exceptions of actions are
   * logged.
   *
   * @param committed whether the transaction has committed
   */
  public void end(boolean committed) {
    always.forEach(TransactionNotes::run);
    if (committed) {
      messages.forEach(message -> run(message.told));
    }
    held.forEach(CommitLock::unlock);
    held.clear();
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
