/**
 * What a native image must keep for Rockpool: found by Spring's processing ahead of time, and used
 * by nothing else.
 */
@NullMarked
package io.rockpool.spring.aot;

import org.jspecify.annotations.NullMarked;
