/** What the tests of every sample need. */
@NullMarked
package io.rockpool.sample.testing;

import org.jspecify.annotations.NullMarked;
