package io.rockpool.store;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The result of {@code Engine.verify}.
 *
 * @param description what was checked
 * @param isComplete whether everything was checked; false if the verification was stopped
 * @param spaces how many names were checked
 * @param records how many records were checked, of all kinds
 * @param files how many files were checked; 0 if the engine has none
 * @param findings the defects, one finding for each kind and space
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

  /** Whether everything was checked and no defect was found. */
  public boolean isClean() {
    return isComplete && findings.isEmpty();
  }

  /** A summary line, and one line for each finding. */
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
