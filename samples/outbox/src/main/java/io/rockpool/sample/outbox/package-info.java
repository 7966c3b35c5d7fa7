/** The transactional outbox: an order and its mail are written together or not at all. */
@NullMarked
package io.rockpool.sample.outbox;

import org.jspecify.annotations.NullMarked;
