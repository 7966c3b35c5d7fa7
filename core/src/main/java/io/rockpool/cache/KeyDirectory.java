package io.rockpool.cache;

import io.rockpool.codec.KeyCodec;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the bytes under which a key is stored if its equal keys may have other bytes: those of the
 * first of the equal keys. The keys with one hash have a row or an entry in a hidden space; {@code
 * equals} distinguishes them.
 */
abstract class KeyDirectory<K> {
  final KeyCodec<K> codec;
  private final Set<Class<?>> trusted = ConcurrentHashMap.newKeySet();
  private final Consumer<Object> check = this::requireLastingHash;

  /** Objects to write with the next entry, by the names of their classes. */
  final Map<String, byte[]> newWitnesses = new ConcurrentHashMap<>();

  KeyDirectory(KeyCodec<K> codec) {
    this.codec = codec;
  }

  /**
   * Returns the bytes for this key and all keys that equal it.
   *
   * @param choose whether an entry may be written for the key: its bytes stay chosen while the
   *     returned array is reachable
   * @throws UnencodableValueException if the key cannot be found again
   */
  final byte[] representative(K key, boolean choose) {
    byte[] own = codec.encode(key, check);
    int common = KeyCodec.commonBytes(own);
    return common == own.length
        ? own
        : representative(key, own, new EntryKey(Arrays.copyOf(own, common)), choose);
  }

  /**
   * Like the other method, for a foreign key.
   *
   * @param own the bytes of the key itself
   * @param common those that its equal keys share
   */
  abstract byte[] representative(K key, byte[] own, EntryKey common, boolean choose);

  /** The object of a class that an earlier process has stored; null for none. */
  abstract byte @Nullable [] witness(Object foreign, byte[] className);

  /** Forgets all objects of classes, because the cache is empty now. */
  abstract void forgetWitnesses();

  /** Whether the key equals the key with these bytes; false if that one cannot be decoded here. */
  final boolean isEqual(K key, byte[] bytes) {
    try {
      return key.equals(codec.decode(bytes, 0, bytes.length));
    } catch (UndecodableValueException e) {
      return false;
    } catch (ServerUnavailableException | StoreClosedException e) {
      throw e; // the class of the other key is not known here yet
    } catch (RuntimeException e) {
      throw new UnencodableValueException(
          "A key of class " + key.getClass().getName() + " cannot be found: its equals throws.", e);
    }
  }

  /**
   * Compares the hash code of a foreign object that an earlier process has stored with its current
   * one, once for each class.
   */
  private void requireLastingHash(Object foreign) {
    Class<?> type = foreign.getClass();
    if (trusted.contains(type)) {
      return;
    }
    byte[] witness = witness(foreign, type.getName().getBytes(StandardCharsets.UTF_8));
    if (witness == null) {
      newWitnesses.put(type.getName(), codec.encodeForeign(foreign));
    } else if (!codec.hashLasts(witness)) {
      throw refusal(
          foreign,
          "its hashCode is another than in an earlier process; if its class was changed, clear the"
              + " cache");
    }
    trusted.add(type);
  }

  /** Forgets all hash codes, because the cache is empty now. */
  final void forgetHashes() {
    forgetWitnesses();
    trusted.clear();
  }

  static UnencodableValueException refusal(Object key, String why) {
    return new UnencodableValueException(
        "A key of class "
            + key.getClass().getName()
            + " cannot be found again: "
            + why
            + ". Use what identifies it, such as its id, or make it a record.",
        null);
  }
}
