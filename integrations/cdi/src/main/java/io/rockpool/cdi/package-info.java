/**
 * The annotations of JSR-107 on beans of Jakarta CDI: see {@link
 * io.rockpool.cdi.CacheAnnotationsExtension}.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.cdi;

import org.jspecify.annotations.NullMarked;
