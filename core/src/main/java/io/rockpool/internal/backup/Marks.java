package io.rockpool.internal.backup;

import java.util.ArrayList;
import java.util.List;

/** The moments of a store that were not shipped yet, and the last one that was. Thread-safe. */
final class Marks {
  private final List<LogMark> marks = new ArrayList<>();

  /** Adds a moment. Of neighbours without a change in between, only the first and last stay. */
  synchronized void add(long sequence, long millis) {
    int last = marks.size() - 1;
    if (last > 0
        && marks.get(last).sequence() == sequence
        && marks.get(last - 1).sequence() == sequence) {
      marks.remove(last);
    }
    marks.add(new LogMark(sequence, millis));
  }

  /** The moments with no changes after {@code sequence}. */
  synchronized List<LogMark> upTo(long sequence) {
    return marks.stream().filter(mark -> mark.sequence() <= sequence).toList();
  }

  /** The newest moment. */
  synchronized LogMark newest() {
    return marks.get(marks.size() - 1);
  }

  /** Removes the moments before {@code first}, which was shipped. */
  synchronized void beginWith(LogMark first) {
    marks.removeIf(
        mark ->
            mark.sequence() < first.sequence()
                || (mark.sequence() == first.sequence() && mark.millis() <= first.millis()));
    marks.replaceAll(mark -> new LogMark(mark.sequence(), Math.max(mark.millis(), first.millis())));
    marks.add(0, first);
  }
}
