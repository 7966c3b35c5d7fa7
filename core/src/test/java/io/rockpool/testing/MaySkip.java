package io.rockpool.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a test, or a class of tests, whose assumptions may skip it even if all tests are required; its
 * value says why. See {@link RequireAllExtension}.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface MaySkip {
  /** The reason. */
  String value();
}
