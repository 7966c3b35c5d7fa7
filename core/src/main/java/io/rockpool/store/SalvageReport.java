package io.rockpool.store;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What was copied out of a damaged store, and what was not.
 *
 * @param names what was copied
 * @param lost what could not be read
 * @param lostChanges how many of the last changes are gone, at least
 * @param notes what else is wrong with the damaged store, in sentences
 */
public record SalvageReport(
    List<Name> names, List<Lost> lost, long lostChanges, List<String> notes) {
  /** Copies the lists. */
  public SalvageReport {
    names = List.copyOf(names);
    lost = List.copyOf(lost);
    notes = List.copyOf(notes);
  }

  /**
   * A name that was copied.
   *
   * @param name the name
   * @param type what it holds, such as {@code map}
   * @param records how many records were copied, of all kinds
   */
  public record Name(String name, String type, long records) {}

  /**
   * Records that could not be read. Between their keys, an older value of an element may have been
   * copied, or an element that was removed.
   *
   * @param name the name; empty if it is not known
   * @param from where they begin, with unprintable bytes escaped; empty for the beginning
   * @param to where they end; empty for the end
   * @param records about how many; -1 if that is not known
   * @param file the damaged or missing file
   * @param problem what is wrong
   */
  public record Lost(
      String name, String from, String to, long records, String file, String problem) {
    /** One line. */
    @Override
    public String toString() {
      return (name.isEmpty() ? "in any name" : "in \"" + name + "\"")
          + (from.isEmpty() ? "" : " from " + from)
          + (to.isEmpty() ? "" : " to " + to)
          + (records < 0 ? "" : ", up to " + records + " records")
          + ": "
          + (file.isEmpty() ? "" : file + " ")
          + problem;
    }
  }

  /** Whether everything was copied, as far as is known. */
  public boolean isComplete() {
    return lost.isEmpty() && lostChanges == 0 && notes.isEmpty();
  }

  /** A summary line, and one line for each loss and note. */
  @Override
  public String toString() {
    String sum =
        names.size()
            + " names with "
            + names.stream().mapToLong(Name::records).sum()
            + " records were copied, "
            + (lost.isEmpty() ? "nothing unreadable" : lost.size() + " stretches are unreadable")
            + (lostChanges == 0
                ? "."
                : ", at least " + lostChanges + " of the last changes are gone.");
    return Stream.concat(
            Stream.of(sum), Stream.concat(lost.stream().map(Lost::toString), notes.stream()))
        .collect(Collectors.joining("\n  "));
  }
}
