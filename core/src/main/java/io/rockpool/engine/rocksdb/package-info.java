/**
 * The embedded engine: a store in a directory of this machine, on RocksDB.
 *
 * <p>{@link io.rockpool.engine.rocksdb.RocksDbEngine} opens it, with {@link
 * io.rockpool.engine.rocksdb.RocksDbOptions}. Its parts are in the packages {@code
 * io.rockpool.internal.rocksdb}: files, natives, rows, upkeep and verify.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.engine.rocksdb;

import org.jspecify.annotations.NullMarked;
