package io.rockpool.engine;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What {@link Engine#verify} has found.
 *
 * @param description what was looked at
 * @param isComplete whether all was looked at; false where it was asked to stop
 * @param spaces how many names were looked at
 * @param records how many records were, of all kinds
 * @param files how many files were; 0 where the engine has none
 * @param findings what is wrong, one finding for each kind and space
 */
public record VerifyReport(
    String description,
    boolean isComplete,
    long spaces,
    long records,
    long files,
    List<Finding> findings) {
  /** Copies the findings. */
  public VerifyReport {
    findings = List.copyOf(findings);
  }

  /** Whether all was looked at and nothing is wrong. */
  public boolean isClean() {
    return isComplete && findings.isEmpty();
  }

  /** One line that sums it up, and one for each finding. */
  @Override
  public String toString() {
    String sum =
        description
            + (isComplete ? ": " : ", stopped early: ")
            + found()
            + " in "
            + spaces
            + " names, "
            + records
            + " records and "
            + files
            + " files.";
    return Stream.concat(Stream.of(sum), findings.stream().map(Finding::toString))
        .collect(Collectors.joining("\n  "));
  }

  private String found() {
    return switch (findings.size()) {
      case 0 -> "nothing wrong";
      case 1 -> "1 finding";
      default -> findings.size() + " findings";
    };
  }
}
