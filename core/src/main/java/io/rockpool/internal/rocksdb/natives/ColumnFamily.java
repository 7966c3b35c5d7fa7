package io.rockpool.internal.rocksdb.natives;

import java.nio.charset.StandardCharsets;

/** The column families of a store, in the order of their creation. */
public enum ColumnFamily {
  /** Copies of the descriptors of names, in other blocks than the catalog. */
  DEFAULT("default"),
  /** The descriptors of names, dead generations and the next generation. */
  CATALOG("catalog"),
  /** The records of spaces of rows. */
  ROWS("rows"),
  /** The records of spaces of entries, and never anything else: see {@code EntryFormat}. */
  ENTRIES("entries"),
  /** The expiry index of row records. */
  EXPIRIES("expiries"),
  /** The number of counted records of each row. Only written by merges. */
  COUNTS("counts");

  private final String text;

  ColumnFamily(String text) {
    this.text = text;
  }

  /** Its index in arrays by column family. */
  @SuppressWarnings("EnumOrdinal") // never leaves this process
  public int index() {
    return ordinal();
  }

  /** Whether each key begins with the generation of a name. */
  public boolean hasGenerations() {
    return switch (this) {
      case ROWS, ENTRIES, COUNTS -> true;
      case DEFAULT, CATALOG, EXPIRIES -> false;
    };
  }

  public byte[] bytes() {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
