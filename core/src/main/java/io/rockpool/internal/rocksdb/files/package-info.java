/**
 * The files of an embedded store beside RocksDB's own: the directory and its lock, the recovery
 * point, and what RocksDB's file names and manifest say.
 */
@NullMarked
package io.rockpool.internal.rocksdb.files;

import org.jspecify.annotations.NullMarked;
