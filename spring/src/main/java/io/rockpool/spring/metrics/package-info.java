/**
 * What Rockpool's Spring caches tell Micrometer.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.spring.metrics;

import org.jspecify.annotations.NullMarked;
