/**
 * Quarkus' cache annotations on a Rockpool store. With {@code quarkus.cache.type=rockpool}, each
 * cache that an annotation names is persistent.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.quarkus;

import org.jspecify.annotations.NullMarked;
