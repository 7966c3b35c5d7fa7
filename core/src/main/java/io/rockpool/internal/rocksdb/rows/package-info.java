/** Spaces, rows, records, transactions and cursors on the native database. */
@NullMarked
package io.rockpool.internal.rocksdb.rows;

import org.jspecify.annotations.NullMarked;
