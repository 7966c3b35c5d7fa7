package io.rockpool.internal.rocksdb.natives;

import java.nio.charset.StandardCharsets;

/**
 * The parts of a store that differ in format or in how they are kept. The order is that of their
 * creation.
 */
public enum ColumnFamily {
  /** RocksDB wants it; nothing is kept there. */
  DEFAULT("default"),
  /** What names stand for, dead generations and the next generation. */
  CATALOG("catalog"),
  /** The records of spaces of rows. */
  ROWS("rows"),
  /** The records of spaces of entries, and nothing else ever: see {@code EntryFormat}. */
  ENTRIES("entries"),
  /** Which row records expire when. */
  EXPIRIES("expiries"),
  /** How many counted records rows have. Only merged into. */
  COUNTS("counts");

  private final String text;

  ColumnFamily(String text) {
    this.text = text;
  }

  /** Its place in arrays by column family. */
  @SuppressWarnings("EnumOrdinal") // never leaves this process
  public int index() {
    return ordinal();
  }

  public byte[] bytes() {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
