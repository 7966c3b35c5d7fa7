package io.rockpool.codec;

import java.util.Arrays;
import org.apache.fory.meta.MetaCompressor;

/**
 * Leaves what Fory writes about classes as it is. In keys it must not be compressed: zlib's output
 * differs between builds of the JDK, and a key would no longer be found.
 */
final class PlainClassData implements MetaCompressor {

  /** Returns what is no smaller, upon which Fory writes the data plain. */
  @Override
  public byte[] compress(byte[] data, int offset, int size) {
    return Arrays.copyOfRange(data, offset, offset + size);
  }

  @Override
  public byte[] decompress(byte[] data, int offset, int size) {
    throw Undecodable.damaged(ForyCodec.ID, "a key has compressed class data", null);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PlainClassData;
  }

  @Override
  public int hashCode() {
    return PlainClassData.class.hashCode();
  }
}
