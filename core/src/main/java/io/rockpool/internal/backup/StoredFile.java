package io.rockpool.internal.backup;

/**
 * A file of a store in a backup.
 *
 * @param path its path in the store's directory, with slashes
 * @param bytes its length
 * @param sha256 the SHA-256 of its content, in hexadecimal; also names its object
 * @param stamp what the file system had noted about it: the same path, length and stamp in a later
 *     backup mean the same content; empty if that is not known
 */
record StoredFile(String path, long bytes, String sha256, String stamp) {
  /** The prefix of the names of all files' objects. */
  static final String FOLDER = "files/";

  /** The name of its object in the target. */
  String object() {
    return FOLDER + sha256;
  }

  boolean isSame(String otherPath, long otherBytes, String otherStamp) {
    return !stamp.isEmpty()
        && stamp.equals(otherStamp)
        && bytes == otherBytes
        && path.equals(otherPath);
  }
}
