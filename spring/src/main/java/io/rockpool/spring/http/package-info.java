/**
 * Idempotent HTTP requests: {@link io.rockpool.spring.http.IdempotencyFilter} answers a repeated
 * request with the stored response.
 */
@NullMarked
package io.rockpool.spring.http;

import org.jspecify.annotations.NullMarked;
