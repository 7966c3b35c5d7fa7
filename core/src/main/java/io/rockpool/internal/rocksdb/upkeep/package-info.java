/**
 * Background work of an open store: reclaiming, eviction, syncing, and watching free disk space.
 */
@NullMarked
package io.rockpool.internal.rocksdb.upkeep;

import org.jspecify.annotations.NullMarked;
