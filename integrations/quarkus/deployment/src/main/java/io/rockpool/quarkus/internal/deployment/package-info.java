/** The build steps of {@code rockpool-quarkus}. */
@NullMarked
package io.rockpool.quarkus.internal.deployment;

import org.jspecify.annotations.NullMarked;
