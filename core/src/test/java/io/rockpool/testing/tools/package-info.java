/**
 * Programs outside the JVM that tests need: which there are, servers that run on them, and what is
 * skipped without them. The module of the samples compiles this package, too: it uses nothing else
 * of the tests.
 */
@NullMarked
package io.rockpool.testing.tools;

import org.jspecify.annotations.NullMarked;
