/**
 * The files of an embedded store: its directory and lock, the recovery point, and readers for the
 * names and the manifest of RocksDB's files.
 */
@NullMarked
package io.rockpool.internal.rocksdb.files;

import org.jspecify.annotations.NullMarked;
