package io.rockpool.testing.tools;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/** Skips what {@link Needs} a tool that is missing. */
final class NeedsCondition implements ExecutionCondition {
  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    AnnotatedElement element = context.getElement().orElse(null);
    Tool missing = missing(element);
    if (missing == null) {
      return ConditionEvaluationResult.enabled("all tools are here");
    }
    if (Tool.isRequired()) {
      throw new AssertionError(
          "-D"
              + Needs.REQUIRE_ALL
              + "=true requires this test, but "
              + missing.missing()
              + ". Provide it: "
              + missing.remedy());
    }
    MissingTools.record(missing, element instanceof Class<?> type ? tests(type) : 1);
    return ConditionEvaluationResult.disabled(missing.missing());
  }

  /** The first tool that something needs and that is not here; null if there is none. */
  static @Nullable Tool missing(@Nullable AnnotatedElement element) {
    return AnnotationSupport.findAnnotation(element, Needs.class).stream()
        .flatMap(needs -> Arrays.stream(needs.value()))
        .filter(tool -> !tool.isPresent())
        .findFirst()
        .orElse(null);
  }

  /** How many test methods a class has; one that has parameters counts as one. */
  private static int tests(Class<?> type) {
    int count =
        ReflectionSupport.findMethods(
                type,
                (Method method) -> AnnotationSupport.isAnnotated(method, Testable.class),
                HierarchyTraversalMode.TOP_DOWN)
            .size();
    for (Class<?> nested : type.getDeclaredClasses()) {
      count += nested.isAnnotationPresent(Nested.class) ? tests(nested) : 0;
    }
    return count;
  }
}
