/** Seals the values of all records between the layers above and any engine. */
@NullMarked
package io.rockpool.internal.encryption;

import org.jspecify.annotations.NullMarked;
