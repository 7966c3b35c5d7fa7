package io.rockpool.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A test whose stores are not encrypted although {@code -Drockpool.test.encrypted=true} asks for
 * it. A class may have it for what its methods share.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
public @interface NotEncrypted {
  /** Why. */
  String value();
}
