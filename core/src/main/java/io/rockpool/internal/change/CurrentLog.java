package io.rockpool.internal.change;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The log that a name has now; another process may switch it on or off. Thread-safe. */
final class CurrentLog {
  private final String name;
  private final Predicate<ChangeLog> hasEnded;
  private final Consumer<CurrentLog> refresh;
  private final AtomicReference<@Nullable ChangeLog> log = new AtomicReference<>();

  /**
   * Starts without a log.
   *
   * @param hasEnded whether another process has dropped a log
   * @param refresh reads which log the name has
   */
  CurrentLog(String name, Predicate<ChangeLog> hasEnded, Consumer<CurrentLog> refresh) {
    this.name = name;
    this.hasEnded = hasEnded;
    this.refresh = refresh;
  }

  String name() {
    return name;
  }

  @Nullable ChangeLog get() {
    return log.get();
  }

  /** Sets it, unless another thread has since {@code before} was read; returns whether it did. */
  boolean replace(@Nullable ChangeLog before, @Nullable ChangeLog now) {
    boolean replaced = log.compareAndSet(before, now);
    if (replaced && before != null && !before.equals(now)) {
      before.readers().callAll(); // they find that it has ended
    }
    return replaced;
  }

  /** Whether another log, or none, is in the place of one with which a write has failed. */
  boolean isReplaced(ChangeLog failed) {
    if (failed.equals(log.get()) && hasEnded.test(failed)) {
      refresh.accept(this);
    }
    return !failed.equals(log.get());
  }
}
