/**
 * The embedded engine: a directory on this machine, kept by RocksDB.
 *
 * <p>{@link io.rockpool.engine.rocksdb.RocksDbEngine} is all a caller sees. Behind it: {@code
 * StoreDirectory} decides whether a directory may be opened, {@code Database} owns everything
 * native, {@code WriteDoor} is the one way by which anything is written, {@code CloseGuard} keeps
 * operations and closing apart, {@code SpaceCatalog} knows what names stand for, and {@code
 * RocksDbSpace} does the rest.
 */
@NullMarked
package io.rockpool.engine.rocksdb;

import org.jspecify.annotations.NullMarked;
