package io.rockpool.postgresql;

import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Disables the runs of core's suites on the embedded engine: the core has them, and they would say
 * nothing about the server. Registers itself for every test.
 */
public final class ServerOnlyCondition implements ExecutionCondition {
  /** As the kinds of stores begin in core's suites, which are arguments of a test or a class. */
  private static final String EMBEDDED = "ROCKSDB";

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    for (Optional<ExtensionContext> at = Optional.of(context);
        at.isPresent();
        at = at.get().getParent()) {
      if (at.get().getDisplayName().contains(EMBEDDED)) {
        return ConditionEvaluationResult.disabled("It runs on the embedded engine.");
      }
    }
    return ConditionEvaluationResult.enabled(null);
  }
}
