/** What tests of every module need. */
@NullMarked
package io.rockpool.testing;

import org.jspecify.annotations.NullMarked;
