/**
 * RocksDB through JNI: the database, its options, scans, snapshots, batches and the only path of
 * writes. No native object leaves this package.
 */
@NullMarked
package io.rockpool.internal.rocksdb.natives;

import org.jspecify.annotations.NullMarked;
