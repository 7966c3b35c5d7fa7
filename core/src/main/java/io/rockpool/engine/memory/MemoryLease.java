package io.rockpool.engine.memory;

import io.rockpool.engine.Lease;

/**
 * A lease in memory.
 *
 * @param record the record, or what is in the place of an absent one; compared by identity
 */
record MemoryLease(StoredRecord record) implements Lease {}
