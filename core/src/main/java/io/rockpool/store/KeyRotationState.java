package io.rockpool.store;

/**
 * How far a rotation of keys has come; see {@code Rockpool.rotateKeys}. A rotation that a kill
 * interrupts continues when the store is opened again.
 *
 * @param pendingNames how many names have records that the rotation must still rewrite, or look
 *     for; 0 if none is in progress. Includes hidden names and copies
 * @param seenRecords how many records were looked at since the store was opened
 * @param rewrittenRecords how many of these were encrypted again
 */
public record KeyRotationState(long pendingNames, long seenRecords, long rewrittenRecords) {
  /** Nothing is encrypted, or every record has its newest key. */
  public static final KeyRotationState NONE = new KeyRotationState(0, 0, 0);
}
