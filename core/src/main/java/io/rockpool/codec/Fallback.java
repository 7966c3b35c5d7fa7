package io.rockpool.codec;

/** What encodes the types that have no codec of their own. */
public enum Fallback {
  /**
   * Apache Fory in compatible mode: fast and compact; a class that lost, gained or reordered fields
   * still decodes.
   */
  FORY,
  /**
   * The JDK's object serialization behind a filter: slow and large, for classes that rely on {@code
   * writeObject}, {@code readResolve} or {@code Externalizable}.
   */
  JAVA_SERIALIZATION
}
