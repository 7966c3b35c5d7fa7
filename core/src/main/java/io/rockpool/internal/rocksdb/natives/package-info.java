/**
 * RocksDB through JNI: the database, its options, scans, snapshots, batches and the write path. No
 * native object leaves this package.
 */
@NullMarked
package io.rockpool.internal.rocksdb.natives;

import org.jspecify.annotations.NullMarked;
