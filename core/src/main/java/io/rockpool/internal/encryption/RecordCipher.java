package io.rockpool.internal.encryption;

import static io.rockpool.internal.format.SealedValueFormat.COMPRESSED;
import static io.rockpool.internal.format.SealedValueFormat.COUNTED;
import static io.rockpool.internal.format.SealedValueFormat.COUNTER_AT;
import static io.rockpool.internal.format.SealedValueFormat.EPOCH_AT;
import static io.rockpool.internal.format.SealedValueFormat.EPOCH_BYTES;
import static io.rockpool.internal.format.SealedValueFormat.FIXED_ASSOCIATED_BYTES;
import static io.rockpool.internal.format.SealedValueFormat.HEADER_BYTES;
import static io.rockpool.internal.format.SealedValueFormat.KEY_AT;
import static io.rockpool.internal.format.SealedValueFormat.NONCE_BYTES;
import static io.rockpool.internal.format.SealedValueFormat.OVERHEAD_BYTES;
import static io.rockpool.internal.format.SealedValueFormat.TAG_BYTES;
import static io.rockpool.internal.format.SealedValueFormat.VERSION;

import io.rockpool.engine.RecordReader;
import io.rockpool.internal.bytes.BigEndian;
import io.rockpool.internal.concurrent.PerThread;
import io.rockpool.internal.format.SealedValueFormat;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and decrypts values. Each thread has one, with buffers that it reuses; plaintext is
 * overwritten there after use.
 */
final class RecordCipher {
  private static final PerThread<RecordCipher> OF_THREAD = new PerThread<>(RecordCipher::new);

  /** Shorter values do not become much smaller. */
  static final int MIN_COMPRESSED_BYTES = 512;

  /** The most bytes of a buffer that is kept. */
  private static final int MOST_KEPT_BYTES = 64 << 10;

  private final Cipher sealing = newCipher();
  private final Cipher opening = newCipher();
  private final byte[] nonce = new byte[NONCE_BYTES];
  private byte[] associated = new byte[256];
  private byte[] plain = new byte[1_024];
  private final byte[] openedEpoch = new byte[EPOCH_BYTES];
  private @Nullable DataKey openedWith;
  private @Nullable SecretKey openedKey;
  private @Nullable Deflater deflater;
  private @Nullable Inflater inflater;

  /** A value that was changed, or is not that of its record. */
  static final class RejectedException extends Exception {
    private static final long serialVersionUID = 1L;

    RejectedException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  static RecordCipher ofThread() {
    return OF_THREAD.get();
  }

  private static Cipher newCipher() {
    try {
      return Cipher.getInstance("AES/GCM/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This Java has no AES/GCM; use another one.", e);
    }
  }

  /** Encrypts a value with the current key of its name. */
  byte[] seal(
      SpaceKeys keys,
      byte[] hashKey,
      byte[] sortKey,
      byte[] value,
      long expiryMillis,
      boolean counted) {
    WriteEpoch epoch = keys.epoch();
    long counter = epoch.takeCounter();
    while (counter < 0) {
      epoch = keys.nextEpoch(epoch);
      counter = epoch.takeCounter();
    }
    return seal(epoch, (int) counter, hashKey, sortKey, value, expiryMillis, counted);
  }

  /** Encrypts a value with a counter that the epoch had never before. */
  byte[] seal(
      WriteEpoch epoch,
      int counter,
      byte[] hashKey,
      byte[] sortKey,
      byte[] value,
      long expiryMillis,
      boolean counted) {
    int compressed = value.length < MIN_COMPRESSED_BYTES ? 0 : deflate(value);
    byte[] from = compressed > 0 ? plain : value;
    int length = compressed > 0 ? compressed : value.length;
    byte[] sealed = new byte[length + OVERHEAD_BYTES];
    sealed[0] = (byte) (VERSION | (compressed > 0 ? COMPRESSED : 0) | (counted ? COUNTED : 0));
    sealed[KEY_AT] = (byte) epoch.dataKey().number();
    System.arraycopy(epoch.id(), 0, sealed, EPOCH_AT, EPOCH_BYTES);
    BigEndian.putInt(sealed, COUNTER_AT, counter);
    try {
      start(sealing, Cipher.ENCRYPT_MODE, epoch.key(), sealed, 0, hashKey, sortKey, expiryMillis);
      int unused = sealing.doFinal(from, 0, length, sealed, HEADER_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("A value could not be encrypted.", e);
    } finally {
      wipe(compressed);
    }
    return sealed;
  }

  /** Decrypts a value and passes it to a reader. */
  <R> @Nullable R read(
      SpaceKeys keys,
      byte[] hashKey,
      byte[] sortKey,
      byte[] bytes,
      int offset,
      int length,
      long expiryMillis,
      RecordReader<R> reader)
      throws RejectedException {
    byte[] mine = plain;
    int opened = open(keys, hashKey, sortKey, bytes, offset, length, expiryMillis);
    byte[] result = plain;
    plain = new byte[0]; // a reader that decodes with a store of its own gets another buffer
    try {
      return reader.read(result, 0, opened, expiryMillis);
    } finally {
      Arrays.fill(result, 0, opened, (byte) 0);
      plain = result.length <= MOST_KEPT_BYTES ? result : mine;
    }
  }

  /** Decrypts a value. */
  byte[] open(SpaceKeys keys, byte[] hashKey, byte[] sortKey, byte[] sealed, long expiryMillis)
      throws RejectedException {
    int opened = open(keys, hashKey, sortKey, sealed, 0, sealed.length, expiryMillis);
    byte[] value = Arrays.copyOf(plain, opened);
    wipe(opened);
    return value;
  }

  /** Decrypts a value into {@link #plain}; returns its length. */
  private int open(
      SpaceKeys keys,
      byte[] hashKey,
      byte[] sortKey,
      byte[] bytes,
      int offset,
      int length,
      long expiryMillis)
      throws RejectedException {
    if (length < OVERHEAD_BYTES || !SealedValueFormat.isKnown(bytes[offset])) {
      throw new RejectedException("it has not the format of an encrypted value", null);
    }
    DataKey dataKey = keys.key(bytes[offset + KEY_AT] & 0xFF);
    if (dataKey == null) {
      throw new RejectedException("the name has not the key that it was encrypted with", null);
    }
    int size = length - OVERHEAD_BYTES;
    ensurePlain(size);
    try {
      SecretKey key = keyOf(dataKey, bytes, offset + EPOCH_AT);
      start(opening, Cipher.DECRYPT_MODE, key, bytes, offset, hashKey, sortKey, expiryMillis);
      int unused = opening.doFinal(bytes, offset + HEADER_BYTES, size + TAG_BYTES, plain, 0);
    } catch (GeneralSecurityException e) {
      throw new RejectedException("it was changed, or belongs to another record", e);
    }
    return (bytes[offset] & COMPRESSED) == 0 ? size : inflate(size);
  }

  private SecretKey keyOf(DataKey dataKey, byte[] bytes, int epochAt) {
    SecretKey last = openedKey;
    if (last != null
        && dataKey == openedWith
        && Arrays.equals(openedEpoch, 0, EPOCH_BYTES, bytes, epochAt, epochAt + EPOCH_BYTES)) {
      return last;
    }
    SecretKey key = dataKey.recordKey(bytes, epochAt);
    System.arraycopy(bytes, epochAt, openedEpoch, 0, EPOCH_BYTES);
    openedWith = dataKey;
    openedKey = key;
    return key;
  }

  private void start(
      Cipher cipher,
      int mode,
      SecretKey key,
      byte[] sealed,
      int offset,
      byte[] hashKey,
      byte[] sortKey,
      long expiryMillis)
      throws GeneralSecurityException {
    System.arraycopy(
        sealed,
        offset + COUNTER_AT,
        nonce,
        NONCE_BYTES - SealedValueFormat.COUNTER_BYTES,
        SealedValueFormat.COUNTER_BYTES);
    cipher.init(mode, key, new GCMParameterSpec(8 * TAG_BYTES, nonce));
    int length = FIXED_ASSOCIATED_BYTES + hashKey.length + sortKey.length;
    if (associated.length < length) {
      associated = new byte[length];
    }
    byte[] data = associated;
    data[0] = sealed[offset];
    data[1] = sealed[offset + KEY_AT];
    BigEndian.putLong(data, 2, expiryMillis);
    BigEndian.putInt(data, 2 + Long.BYTES, hashKey.length);
    System.arraycopy(hashKey, 0, data, FIXED_ASSOCIATED_BYTES, hashKey.length);
    System.arraycopy(sortKey, 0, data, FIXED_ASSOCIATED_BYTES + hashKey.length, sortKey.length);
    cipher.updateAAD(data, 0, length);
  }

  /** Compresses a value into {@link #plain}; returns the length, or 0 if it saves too little. */
  private int deflate(byte[] value) {
    Deflater mine = deflater;
    if (mine == null) {
      mine = new Deflater(Deflater.BEST_SPEED, /* nowrap= */ true);
      deflater = mine;
    }
    int most = value.length - value.length / 8;
    ensurePlain(most);
    BigEndian.putInt(plain, 0, value.length);
    mine.reset();
    mine.setInput(value);
    mine.finish();
    int length = mine.deflate(plain, Integer.BYTES, most - Integer.BYTES);
    boolean fits = mine.finished();
    mine.reset();
    if (!fits) {
      wipe(most);
      return 0;
    }
    return Integer.BYTES + length;
  }

  /** Replaces {@link #plain} by what its bytes are the compression of; returns its length. */
  private int inflate(int size) throws RejectedException {
    Inflater mine = inflater;
    if (mine == null) {
      mine = new Inflater(/* nowrap= */ true);
      inflater = mine;
    }
    byte[] from = plain;
    int length = size < Integer.BYTES ? -1 : BigEndian.getInt(from, 0);
    if (length < 0) {
      throw new RejectedException("its compressed form is damaged", null);
    }
    byte[] to = new byte[length];
    try {
      mine.setInput(from, Integer.BYTES, size - Integer.BYTES);
      if (mine.inflate(to) != length) {
        throw new RejectedException("its compressed form is damaged", null);
      }
    } catch (DataFormatException e) {
      throw new RejectedException("its compressed form is damaged", e);
    } finally {
      mine.reset();
      wipe(size);
    }
    plain = to;
    return length;
  }

  private void ensurePlain(int length) {
    if (plain.length < length) {
      plain = new byte[Math.max(length, Math.min(2 * plain.length, MOST_KEPT_BYTES))];
    }
  }

  private void wipe(int length) {
    Arrays.fill(plain, 0, Math.min(length, plain.length), (byte) 0);
    if (plain.length > MOST_KEPT_BYTES) {
      plain = new byte[1_024];
    }
  }
}
