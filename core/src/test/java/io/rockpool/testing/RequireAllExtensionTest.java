package io.rockpool.testing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** A skip is a failure if all tests are required, unless the test says why it may be skipped. */
final class RequireAllExtensionTest {
  private static final Throwable SKIP = new TestAbortedException("there is no strace");
  private static final Throwable FAILURE = new AssertionError("wrong");

  @Test
  void aSkipIsAFailureIfTheTestIsRequired() {
    assertThat(RequireAllExtension.failure(SKIP, true))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("there is no strace")
        .hasCause(SKIP);
    assertThat(RequireAllExtension.failure(SKIP, false)).isSameAs(SKIP);
    assertThat(RequireAllExtension.failure(FAILURE, true)).isSameAs(FAILURE);
  }

  @Test
  void aReasonExcusesAMethodAndAClass() throws NoSuchMethodException {
    assertThat(isExcused(Tests.class, "excused")).isTrue();
    assertThat(isExcused(Tests.class, "required")).isFalse();
    assertThat(isExcused(Contract.class, "inherited")).isTrue();
    assertThat(isExcused(Tests.class, "inherited")).isTrue();
    assertThat(RequireAllExtension.isExcused(Contract.class, null)).isTrue();
    assertThat(RequireAllExtension.isExcused(Tests.class, null)).isFalse();
  }

  private static boolean isExcused(Class<?> type, String method) throws NoSuchMethodException {
    return RequireAllExtension.isExcused(type, type.getMethod(method));
  }

  @MaySkip("the test needs an example")
  public interface Contract {
    default void inherited() {}
  }

  public static class Tests implements Contract {
    @MaySkip("the test needs an example")
    public void excused() {}

    public void required() {}
  }
}
