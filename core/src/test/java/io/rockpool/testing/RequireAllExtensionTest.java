package io.rockpool.testing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** A skip is a failure if all tests are required, unless the test says why it may be skipped. */
final class RequireAllExtensionTest {
  private final Throwable skip = new TestAbortedException("there is no strace");
  private final Throwable failure = new AssertionError("wrong");

  @Test
  void aSkipIsAFailureIfTheTestIsRequired() {
    assertThat(RequireAllExtension.failure(skip, true))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("there is no strace")
        .hasCause(skip);
    assertThat(RequireAllExtension.failure(skip, false)).isSameAs(skip);
    assertThat(RequireAllExtension.failure(failure, true)).isSameAs(failure);
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
