/** What a fuzzer throws at all that reads stored bytes. */
@NullMarked
package io.rockpool.fuzz;

import org.jspecify.annotations.NullMarked;
