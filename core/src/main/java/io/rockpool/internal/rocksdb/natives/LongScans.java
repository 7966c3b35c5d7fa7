package io.rockpool.internal.rocksdb.natives;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where scans took long, perhaps because they passed many removed records. */
public final class LongScans {
  /** More are forgotten. What stays long is noted again. */
  private static final int MAX_PARTS = 64;

  private final Set<Part> parts = new LinkedHashSet<>();

  /** The keys from {@code from}, included, to {@code to}, excluded. */
  public record Part(ColumnFamily family, ByteBuffer from, ByteBuffer to) {}

  /** Notes a scan from a key, included, to another, excluded. */
  public synchronized void add(ColumnFamily family, byte[] from, byte[] to) {
    if (parts.size() < MAX_PARTS) {
      parts.add(new Part(family, ByteBuffer.wrap(from), ByteBuffer.wrap(to)));
    }
  }

  /** The part noted first, which is forgotten; null if there is none. */
  public synchronized @Nullable Part poll() {
    Iterator<Part> first = parts.iterator();
    if (!first.hasNext()) {
      return null;
    }
    Part part = first.next();
    first.remove();
    return part;
  }
}
