package io.rockpool.testing.tools;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tools without which a test is skipped, before anything of it is opened. With {@code
 * -Drockpool.test.requireAll=true} it fails instead.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(NeedsCondition.class)
public @interface Needs {
  /** The property that forbids skips. */
  String REQUIRE_ALL = "rockpool.test.requireAll";

  /** The tools. */
  Tool[] value();
}
