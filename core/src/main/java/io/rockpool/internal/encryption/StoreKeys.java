package io.rockpool.internal.encryption;

import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.KeyProvider;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Layout;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.EncryptionKeyException;
import io.rockpool.error.NameConflictException;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a store, which wrap the keys of its names. Master keys wrap them. They are attributes
 * of a space without records, {@link SpaceName#KEYS}. Reads are thread-safe; one thread changes
 * them at a time. The provider is called by {@link #open} and {@link #next} only.
 */
final class StoreKeys {
  private static final String ID = "id";
  private static final String CURRENT = "current";
  private static final String KEY_FILE = "key-file";
  private static final String KEY = "key.";

  /** Values of {@link #KEY_FILE}: the file may not exist yet, and it was written. */
  private static final String TO_BE = "yes";

  private static final String WRITTEN = "written";

  private final Engine engine;
  private final KeyProvider provider;
  private final String id;
  private final boolean inFile;
  private final Map<Integer, Key> keys;
  private volatile int current;
  private volatile boolean isFileWritten;

  /** A key, and the master key's id with what that made of the key, as it is stored. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Key(byte[] secret, String wrapped) {}

  private StoreKeys(
      Engine engine,
      KeyProvider provider,
      String id,
      boolean inFile,
      Map<Integer, Key> keys,
      int current) {
    this.engine = engine;
    this.provider = provider;
    this.id = id;
    this.inFile = inFile;
    this.keys = keys;
    this.current = current;
  }

  /** The id of the master key of a store; null if nothing in the store is encrypted. */
  static @Nullable String masterKeyId(Engine engine) {
    SpaceInfo there = engine.describe(SpaceName.KEYS);
    return there == null ? null : masterKeyIdOf(there.attributes());
  }

  private static String masterKeyIdOf(Map<String, String> attributes) {
    return attributes.getOrDefault(KEY + attributes.get(CURRENT), "unknown").split(" ", -1)[0];
  }

  /**
   * Reads the keys of a store, or creates the first. If the provider has another current master
   * key, it wraps them from then on.
   *
   * @param readOnly whether nothing may be changed
   */
  static StoreKeys open(Engine engine, Encryption encryption, boolean readOnly) {
    KeyProvider provider = encryption.provider();
    boolean inFile = encryption.keyFile() != null;
    SpaceInfo there = engine.describe(SpaceName.KEYS);
    if (there == null) {
      StoreKeys created =
          new StoreKeys(
              engine, provider, UUID.randomUUID().toString(), inFile, new ConcurrentHashMap<>(), 0);
      created.keys.put(0, created.wrapped(KeyWrap.newKey()));
      if (readOnly || created.create()) {
        return created;
      }
      there = engine.describe(SpaceName.KEYS); // another handle has created it
    }
    Map<String, String> attributes = there == null ? Map.of() : there.attributes();
    StoreKeys opened =
        new StoreKeys(
            engine,
            provider,
            attributes.getOrDefault(ID, ""),
            attributes.containsKey(KEY_FILE),
            unwrapped(engine, provider, attributes),
            Integer.parseInt(attributes.getOrDefault(CURRENT, "0")));
    opened.isFileWritten = WRITTEN.equals(attributes.get(KEY_FILE));
    if (opened.inFile != inFile) {
      throw new EncryptionKeyException(
          engine.description()
              + " has the keys of its names "
              + (opened.inFile
                  ? "in a file outside of it; give the file with Encryption.keysIn."
                  : "inside; leave Encryption.keysIn out."),
          null,
          null);
    }
    if (!readOnly && !masterKeyIdOf(attributes).equals(provider.currentKeyId())) {
      opened.keys.replaceAll((number, key) -> opened.wrapped(key.secret()));
      opened.save();
    }
    return opened;
  }

  private static Map<Integer, Key> unwrapped(
      Engine engine, KeyProvider provider, Map<String, String> attributes) {
    Map<Integer, Key> keys = new ConcurrentHashMap<>();
    attributes.forEach(
        (name, value) -> {
          if (name.startsWith(KEY)) {
            String[] parts = value.split(" ", -1);
            byte[] wrapped = Base64.getDecoder().decode(parts[1]);
            int number = Integer.parseInt(name.substring(KEY.length()));
            keys.put(number, new Key(unwrapped(engine, provider, parts[0], wrapped), value));
          }
        });
    return keys;
  }

  private static byte[] unwrapped(
      Engine engine, KeyProvider provider, String masterKeyId, byte[] wrapped) {
    byte[] key;
    try {
      key = provider.unwrap(masterKeyId, wrapped);
    } catch (GeneralSecurityException e) {
      throw new EncryptionKeyException(
          engine.description()
              + " cannot be decrypted: the master key \""
              + masterKeyId
              + "\" of the KeyProvider is not the one that encrypted it. Give that one.",
          masterKeyId,
          e);
    }
    if (key == null || key.length != DataKey.BYTES) {
      throw new EncryptionKeyException(
          engine.description()
              + " is encrypted with the master key \""
              + masterKeyId
              + "\", which the KeyProvider does not have. Give a KeyProvider that has it.",
          masterKeyId,
          null);
    }
    return key;
  }

  /** Stores the keys as a new space; returns false if another handle has done so. */
  private boolean create() {
    try {
      engine.create(new SpaceSpec(SpaceName.KEYS, Layout.ENTRIES, attributes()));
      return true;
    } catch (NameConflictException e) {
      return false;
    }
  }

  private void save() {
    engine.setAttributes(SpaceName.KEYS, attributes());
  }

  /** Stores the keys again if all names were dropped, and these keys with them. */
  void keep() {
    if (engine.describe(SpaceName.KEYS) == null) {
      boolean unused = create();
    }
  }

  /** Whether the file of the names' keys must be there. */
  boolean isFileWritten() {
    return isFileWritten;
  }

  /** Stores that the file of the names' keys has been written. */
  void setFileWritten() {
    if (!isFileWritten) {
      isFileWritten = true;
      save();
    }
  }

  private Map<String, String> attributes() {
    Map<String, String> attributes = new HashMap<>();
    attributes.put(ID, id);
    attributes.put(CURRENT, String.valueOf(current));
    if (inFile) {
      attributes.put(KEY_FILE, isFileWritten ? WRITTEN : TO_BE);
    }
    keys.forEach((number, key) -> attributes.put(KEY + number, key.wrapped()));
    return attributes;
  }

  private Key wrapped(byte[] secret) {
    String masterKeyId = provider.currentKeyId();
    try {
      byte[] wrapped = provider.wrap(masterKeyId, secret.clone());
      return new Key(secret, masterKeyId + " " + Base64.getEncoder().encodeToString(wrapped));
    } catch (GeneralSecurityException e) {
      throw new EncryptionKeyException(
          "The KeyProvider cannot encrypt with its current master key \""
              + masterKeyId
              + "\": "
              + e
              + ". Nothing was changed.",
          masterKeyId,
          e);
    }
  }

  String id() {
    return id;
  }

  int current() {
    return current;
  }

  /** Whether there is an older key than the current one. */
  boolean hasOlder() {
    return keys.size() > 1;
  }

  /** A key by its number, or null. */
  byte @Nullable [] get(int number) {
    Key key = keys.get(number);
    return key == null ? null : key.secret();
  }

  byte[] currentKey() {
    return Objects.requireNonNull(get(current), "the current key");
  }

  /**
   * Draws a key, and wraps all with the current master key. Stores nothing.
   *
   * @return what makes it the current key, without calling the provider
   */
  Runnable next() {
    int next = keys.keySet().stream().mapToInt(Integer::intValue).max().orElse(0) + 1;
    Key drawn = wrapped(KeyWrap.newKey());
    Map<Integer, Key> wrapped = new HashMap<>();
    keys.forEach((number, key) -> wrapped.put(number, wrapped(key.secret())));
    return () -> {
      int last = current;
      if (keys.putIfAbsent(next, drawn) != null) {
        throw new IllegalStateException("Another thread rotates the keys; nothing was changed.");
      }
      keys.replaceAll((number, key) -> wrapped.getOrDefault(number, key));
      current = next;
      try {
        save();
      } catch (RuntimeException | Error e) {
        current = last;
        keys.remove(next);
        throw e;
      }
    };
  }

  /** Forgets all keys but the current one. */
  void retainCurrent() {
    if (keys.keySet().removeIf(number -> number != current)) {
      save();
    }
  }
}
