package io.rockpool.internal.encryption;

import io.rockpool.engine.EngineLimits;
import io.rockpool.engine.Limits;
import io.rockpool.engine.SortRange;
import io.rockpool.error.LimitExceededException;
import io.rockpool.internal.encryption.KeyCipher.Use;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and decrypts the keys of the records of one name. Keeps keys that the name does not
 * hide.
 */
record HiddenKeys(KeyHiding hiding, KeyCipher cipher) {
  private static final int MOST_BYTES = Limits.MAX_HASH_KEY_BYTES - KeyCipher.OVERHEAD_BYTES;

  byte[] hash(byte[] hashKey) {
    EngineLimits.OF_CONTRACT.checkHashKey(hashKey);
    return hiding.ofHash() ? hide(Use.HASH_KEY, "hash key", hashKey) : hashKey;
  }

  byte[] sort(byte[] sortKey) {
    EngineLimits.OF_CONTRACT.checkSortKey(sortKey);
    return hiding.ofSort() ? hide(Use.SORT_KEY, "sort key", sortKey) : sortKey;
  }

  private byte[] hide(Use use, String what, byte[] key) {
    if (key.length > MOST_BYTES) {
      throw new LimitExceededException(
          "A "
              + what
              + " of "
              + key.length
              + " bytes is past the limit of "
              + MOST_BYTES
              + " bytes for keys that are encrypted; make it shorter.",
          what,
          MOST_BYTES,
          key.length,
          null);
    }
    return cipher.hide(use, key);
  }

  /** The hash key that was encrypted; null if it is not one of the name. */
  byte @Nullable [] shownHash(byte[] hashKey) {
    return hiding.ofHash() ? cipher.show(Use.HASH_KEY, hashKey) : hashKey;
  }

  /** The hash keys that were encrypted, without those that are not of the name. */
  List<byte[]> shownHashes(List<byte[]> hashKeys) {
    return hashKeys.stream().map(this::shownHash).filter(Objects::nonNull).toList();
  }

  /** The sort key that was encrypted; null if it is not one of the name. */
  byte @Nullable [] shownSort(byte[] sortKey) {
    return hiding.ofSort() ? cipher.show(Use.SORT_KEY, sortKey) : sortKey;
  }

  /**
   * The stored range: all, or all after a key in the order of encrypted keys.
   *
   * @throws UnsupportedOperationException for a range that needs the order of the keys
   */
  SortRange range(SortRange range) {
    if (!hiding.ofSort()) {
      return range;
    }
    if (range.to() != null) {
      throw new UnsupportedOperationException(
          "The keys are encrypted, so there are no ranges of keys. Read all of them.");
    }
    byte[] after = range.after();
    if (after != null) {
      return SortRange.all().from(sort(after), /* inclusive= */ false);
    }
    return range.from().length == 0 ? range : SortRange.all().from(sort(range.from()), true);
  }
}
