/** What Quarkus calls; public only because the code that Quarkus generates needs it. */
@NullMarked
package io.rockpool.quarkus.internal;

import org.jspecify.annotations.NullMarked;
