package io.rockpool.internal.format;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.BigEndian;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The second record of a name, in the column family {@code default} under the name's catalog key:
 * the {@link Descriptor}, and the CRC-32C of key and descriptor in 4 bytes. It is written and
 * deleted in one batch with the first, and read only if the first is damaged.
 */
public final class DescriptorCopy {
  private DescriptorCopy() {}

  /**
   * Encodes the record.
   *
   * @param key the catalog key of the name
   * @param descriptor the encoded descriptor
   */
  public static byte[] encode(byte[] key, byte[] descriptor) {
    byte[] copy = Arrays.copyOf(descriptor, descriptor.length + Integer.BYTES);
    BigEndian.putInt(copy, descriptor.length, checksum(key, copy));
    return copy;
  }

  /**
   * Decodes the record.
   *
   * @throws CorruptStoreException if it is not the copy for this key
   */
  public static Descriptor decode(byte[] key, byte[] copy) {
    int length = copy.length - Integer.BYTES;
    if (length < 0 || BigEndian.getInt(copy, length) != checksum(key, copy)) {
      throw new CorruptStoreException("the copy of a descriptor has a wrong checksum", null);
    }
    return Descriptor.decode(Arrays.copyOf(copy, length));
  }

  private static int checksum(byte[] key, byte[] copy) {
    CRC32C sum = new CRC32C();
    sum.update(key);
    sum.update(copy, 0, copy.length - Integer.BYTES);
    return (int) sum.getValue();
  }
}
