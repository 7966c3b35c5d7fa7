/**
 * Micronaut's cache annotations on a Rockpool store. With this module on the class path, {@code
 * rockpool.directory} is the store's directory, and each cache that an annotation names is
 * persistent.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.micronaut;

import org.jspecify.annotations.NullMarked;
