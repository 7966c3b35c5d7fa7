package io.rockpool.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Tests that take more than a few seconds of processor time. {@code mvn verify} leaves them out, so
 * that it takes minutes; {@code -Pslow}, {@code -Pquick} and {@code .ci/run} run them, too. A class
 * that cannot use this annotation has the tag.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("slow")
public @interface Slow {}
