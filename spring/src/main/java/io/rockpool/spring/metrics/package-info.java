/** What Rockpool's Spring caches tell Micrometer. */
@NullMarked
package io.rockpool.spring.metrics;

import org.jspecify.annotations.NullMarked;
