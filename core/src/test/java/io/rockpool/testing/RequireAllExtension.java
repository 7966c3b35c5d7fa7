package io.rockpool.testing;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * With {@code -Drockpool.test.requireAll=true}, fails each test that an assumption would skip: a
 * missing tool then cannot hide a defect. {@link MaySkip} excuses a test. Registers itself for
 * every test.
 */
public final class RequireAllExtension
    implements InvocationInterceptor,
        TestExecutionExceptionHandler,
        LifecycleMethodExecutionExceptionHandler {
  private static final String PROPERTY = "rockpool.test.requireAll";

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable thrown)
      throws Throwable {
    throw failure(context, thrown);
  }

  @Override
  public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable thrown)
      throws Throwable {
    throw failure(context, thrown);
  }

  @Override
  public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable thrown)
      throws Throwable {
    throw failure(context, thrown);
  }

  @Override
  public void interceptDynamicTest(
      Invocation<Void> invocation,
      DynamicTestInvocationContext dynamicTest,
      ExtensionContext context)
      throws Throwable {
    try {
      invocation.proceed();
    } catch (TestAbortedException e) {
      throw failure(context, e);
    }
  }

  private static Throwable failure(ExtensionContext context, Throwable thrown) {
    boolean excused =
        isExcused(context.getTestClass().orElse(null), context.getTestMethod().orElse(null));
    return failure(thrown, Boolean.getBoolean(PROPERTY) && !excused);
  }

  /** A failure in place of a skip if the test is required; else what was thrown. */
  static Throwable failure(Throwable thrown, boolean isRequired) {
    if (!isRequired || !(thrown instanceof TestAbortedException)) {
      return thrown;
    }
    return new AssertionError(
        String.format(
            "-D%s=true requires this test, but it would be skipped. %s. Provide what it needs, or"
                + " annotate it with @MaySkip.",
            PROPERTY, thrown.getMessage()),
        thrown);
  }

  /** The class that declares a method counts, too: it may be the interface of a contract. */
  static boolean isExcused(@Nullable Class<?> type, @Nullable Method method) {
    return (type != null && type.isAnnotationPresent(MaySkip.class))
        || (method != null
            && (method.isAnnotationPresent(MaySkip.class)
                || method.getDeclaringClass().isAnnotationPresent(MaySkip.class)));
  }
}
