/**
 * Reads what is readable of a damaged store.
 *
 * <p>Start at {@link io.rockpool.internal.rocksdb.salvage.DamagedStore}.
 */
@NullMarked
package io.rockpool.internal.rocksdb.salvage;

import org.jspecify.annotations.NullMarked;
