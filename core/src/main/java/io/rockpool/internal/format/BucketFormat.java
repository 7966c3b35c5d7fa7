package io.rockpool.internal.format;

/**
 * The row of an element of a map or set. The row's hash key is one byte, the bucket number: the
 * 32-bit FNV-1a hash of the encoded key, its upper half XORed into its lower, modulo the number of
 * buckets. So concurrent writers of different elements seldom use the same row.
 */
public final class BucketFormat {
  /** The maximum number of buckets, because a bucket number is one byte. */
  public static final int MAX_BUCKETS = 256;

  private static final int FNV_OFFSET = 0x811C9DC5;
  private static final int FNV_PRIME = 0x01000193;

  private BucketFormat() {}

  /** The bucket number of a key. {@code buckets} is a power of two. */
  public static int bucketOf(byte[] key, int buckets) {
    int hash = FNV_OFFSET;
    for (byte b : key) {
      hash = (hash ^ (b & 0xFF)) * FNV_PRIME;
    }
    return (hash ^ (hash >>> 16)) & (buckets - 1);
  }

  /** The hash key of a bucket's row. */
  public static byte[] hashKey(int bucket) {
    return new byte[] {(byte) bucket};
  }
}
