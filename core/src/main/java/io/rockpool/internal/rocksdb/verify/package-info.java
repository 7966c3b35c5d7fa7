/** The checks of {@code Rockpool.verify} on an open embedded store. */
@NullMarked
package io.rockpool.internal.rocksdb.verify;

import org.jspecify.annotations.NullMarked;
