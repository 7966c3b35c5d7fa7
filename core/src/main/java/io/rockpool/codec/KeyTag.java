package io.rockpool.codec;

/**
 * The first byte of each element of a canonical key. Those below {@code 40} are the tags of values
 * with codecs of their own. Numbers are never reused.
 */
final class KeyTag {
  static final byte NULL = 0x00;
  static final byte ENUM = 0x40;
  static final byte RECORD = 0x41;
  static final byte SIMPLE_KEY = 0x42;
  static final byte OBJECT_ARRAY = 0x43;
  static final byte LIST = 0x44;
  static final byte SET = 0x45;
  static final byte MAP = 0x46;
  static final byte OPTIONAL = 0x47;
  static final byte PRIMITIVE_ARRAY = 0x48;
  static final byte REGISTERED = 0x49;
  static final byte ENTRY = 0x4A;
  static final byte CLASS = 0x4B;
  static final byte FOREIGN = 0x4C;

  /** In front of a key with foreign objects in it. */
  static final byte BY_EQUALITY = 0x4F;

  /** The tag of {@link #BY_EQUALITY} with a number after the tail. */
  static final byte NUMBERED = 0x50;

  private KeyTag() {}
}
