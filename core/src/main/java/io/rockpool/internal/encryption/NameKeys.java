package io.rockpool.internal.encryption;

import io.rockpool.encryption.Encryption;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.EncryptionKeyException;
import io.rockpool.internal.concurrent.LockLevel;
import io.rockpool.internal.concurrent.OrderedLock;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The keys of all names. They are attributes of the names, wrapped by the keys of the store, and
 * leave with them. The layers above do not see these attributes. Thread-safe.
 */
final class NameKeys implements AutoCloseable {
  private static final String PREFIX = "encryption.";

  /** Ties the wrapped keys to the name. */
  private static final String ID = PREFIX + "id";

  /** Key number, number of the store's key, and the wrapped key, of each key; the current last. */
  private static final String KEYS = PREFIX + "keys";

  /** Which keys are encrypted, number of the store's key, and the wrapped key that does it. */
  private static final String HIDDEN_KEYS = PREFIX + "hidden";

  /** What the wrapped key of {@link #HIDDEN_KEYS} has instead of a number. */
  private static final String HIDDEN_KEY = "hidden";

  /** Hidden spaces are encrypted like the names whose records they have. */
  private static final List<String> HIDDEN =
      List.of(SpaceName.HINTS, SpaceName.PENDING, SpaceName.TAGS);

  private static final int MOST_KEYS = 256;

  private final Engine engine;
  private final Encryption encryption;
  private final StoreKeys storeKeys;
  private final @Nullable DataKeyFile file;
  private final OrderedLock lock;
  private final Map<String, SpaceKeys> known = new ConcurrentHashMap<>();

  /**
   * Creates the keys of an engine's names.
   *
   * @param readOnly whether nothing may be changed
   */
  NameKeys(Engine engine, Encryption encryption, StoreKeys storeKeys, boolean readOnly) {
    this.engine = engine;
    this.encryption = encryption;
    this.storeKeys = storeKeys;
    Path keyFile = encryption.keyFile();
    this.file =
        keyFile == null
            ? null
            : DataKeyFile.open(keyFile, storeKeys.id(), mustHaveFile(), readOnly);
    if (file != null && !readOnly) {
      storeKeys.setFileWritten();
    }
    this.lock = new OrderedLock(LockLevel.ATTRIBUTES, 0, engine);
  }

  /** Stores of earlier versions had a file only if they had names. */
  private boolean mustHaveFile() {
    return storeKeys.isFileWritten()
        || engine.list("").stream().anyMatch(info -> areEncrypted(info.attributes()));
  }

  /** A space that was created, and its keys. */
  record Created(Space space, SpaceKeys keys) {}

  /**
   * Creates a space with a key of its own.
   *
   * @param creating creates it with attributes for the key
   */
  Created create(SpaceSpec spec, Function<SpaceSpec, Space> creating) {
    return Objects.requireNonNull(createOrNot(spec, creating));
  }

  /** Like {@link #create}; null if {@code creating} returned null, as it created nothing. */
  @Nullable Created createOrNot(
      SpaceSpec spec, Function<SpaceSpec, ? extends @Nullable Space> creating) {
    if (!isCovered(spec.name())) {
      Map<String, String> plain = plain(spec.attributes()); // they may be those of a copied name
      Space space = creating.apply(new SpaceSpec(spec.name(), spec.layout(), plain));
      return space == null ? null : new Created(space, SpaceKeys.none());
    }
    return this.<@Nullable Created>changing(
        () -> {
          DataKey key = new DataKey(0, storeKeys.current(), KeyWrap.newKey());
          SpaceKeys keys =
              new SpaceKeys(UUID.randomUUID().toString(), List.of(key), hiddenKeys(spec));
          Map<String, String> all =
              withKeys(plain(spec.attributes()), keys.id(), keys.stored(), keys.hidden());
          Space space = creating.apply(new SpaceSpec(spec.name(), spec.layout(), all));
          if (space == null) {
            forgetStored(keys.id());
            return null;
          }
          known.put(keys.id(), keys);
          return new Created(space, keys);
        });
  }

  private boolean isCovered(String name) {
    if (SpaceName.isWithin(name, SpaceName.CHANGES)) {
      return true; // it has values of a name that may be covered, and an id instead of that name
    }
    String of = shownName(name);
    return of.isEmpty() || of.startsWith(":") || encryption.covers(of);
  }

  /** The name whose records a hidden space has, or the name itself. */
  private static String shownName(String name) {
    for (String level : HIDDEN) {
      if (SpaceName.isWithin(name, level)) {
        return name.equals(level) ? "" : name.substring(level.length() + 1);
      }
    }
    return name;
  }

  /** What encrypts the keys of a new name. A salvaged name keeps what it had. */
  private @Nullable HiddenKeys hiddenKeys(SpaceSpec spec) {
    String salvaged = spec.attributes().get(HIDDEN_KEYS);
    KeyHiding hiding = KeyHiding.NONE;
    if (salvaged != null) {
      hiding = KeyHiding.ofText(salvaged.split(":", -1)[0]);
    } else if (encryption.hidesKeys(shownName(spec.name()))) {
      hiding = KeyHiding.of(spec);
    }
    return hiding == KeyHiding.NONE
        ? null
        : new HiddenKeys(hiding, new KeyCipher(KeyWrap.newKey()));
  }

  /**
   * The keys of a name.
   *
   * @param info its description from the engine
   */
  SpaceKeys of(SpaceInfo info) {
    return of(info.name(), info.attributes());
  }

  /**
   * The keys of a name.
   *
   * @param attributes its attributes from the engine
   */
  SpaceKeys of(String name, Map<String, String> attributes) {
    String id = attributes.get(ID);
    if (id == null) {
      return SpaceKeys.none();
    }
    SpaceKeys there = known.get(id);
    return there != null
        ? there
        : known.computeIfAbsent(
            id,
            unknown ->
                new SpaceKeys(
                    id, unwrapped(name, attributes, id), unwrappedHidden(name, attributes, id)));
  }

  private List<DataKey> unwrapped(String name, Map<String, String> attributes, String id) {
    List<DataKey> keys = new ArrayList<>();
    for (String text : attributes.getOrDefault(KEYS, "").split(",", -1)) {
      String[] parts = text.split(":", -1);
      int number = Integer.parseInt(parts[0]);
      int storeKey = Integer.parseInt(parts[1]);
      keys.add(new DataKey(number, storeKey, unwrapped(name, id, parts[0], parts)));
    }
    return List.copyOf(keys);
  }

  private @Nullable HiddenKeys unwrappedHidden(
      String name, Map<String, String> attributes, String id) {
    String text = attributes.get(HIDDEN_KEYS);
    if (text == null) {
      return null;
    }
    String[] parts = text.split(":", -1);
    return new HiddenKeys(
        KeyHiding.ofText(parts[0]), new KeyCipher(unwrapped(name, id, HIDDEN_KEY, parts)));
  }

  private byte[] unwrapped(String name, String id, String key, String[] parts) {
    byte[] with = storeKeys.get(Integer.parseInt(parts[1]));
    byte[] wrapped = file == null ? Base64.getDecoder().decode(parts[2]) : file.get(id + "." + key);
    if (wrapped == null) {
      throw new EncryptionKeyException(
          "The key of \""
              + name
              + "\" is not in "
              + file
              + ": the name was dropped, or the file is an older one. Give the newest file, or drop"
              + " the name.",
          null,
          null);
    }
    try {
      if (with != null) {
        return KeyWrap.unwrap(with, id, key, wrapped);
      }
    } catch (GeneralSecurityException e) {
      throw unreadable(name, e);
    }
    throw unreadable(name, null);
  }

  private static EncryptionKeyException unreadable(
      String name, @Nullable GeneralSecurityException e) {
    return new EncryptionKeyException(
        "The stored key of \"" + name + "\" is damaged. Restore a backup, or drop the name.",
        null,
        e);
  }

  private Map<String, String> withKeys(
      Map<String, String> attributes, String id, List<DataKey> keys, @Nullable HiddenKeys hidden) {
    Map<String, String> all = new HashMap<>(attributes);
    List<String> texts = new ArrayList<>();
    for (DataKey key : keys) {
      byte[] with = storeKeys.get(key.storeKey());
      int storeKey = with == null ? storeKeys.current() : key.storeKey();
      byte[] wrapping = with == null ? storeKeys.currentKey() : with;
      String number = String.valueOf(key.number());
      texts.add(number + ":" + storeKey + ":" + wrapped(wrapping, id, number, key.secret()));
    }
    all.put(ID, id);
    all.put(KEYS, String.join(",", texts));
    if (hidden != null) {
      String wrapped = wrapped(storeKeys.currentKey(), id, HIDDEN_KEY, hidden.cipher().secret());
      all.put(HIDDEN_KEYS, hidden.hiding().text() + ":" + storeKeys.current() + ":" + wrapped);
    }
    return all;
  }

  /** The wrapped key in Base64; empty if it is in the file. */
  private String wrapped(byte[] wrapping, String id, String key, byte[] secret) {
    byte[] wrapped = KeyWrap.wrap(wrapping, id, key, secret);
    if (file == null) {
      return Base64.getEncoder().encodeToString(wrapped);
    }
    file.put(id + "." + key, wrapped);
    return "";
  }

  /** A description as the layers above see it. */
  static SpaceInfo shown(SpaceInfo info) {
    return areEncrypted(info.attributes()) ? withoutKeys(info) : info;
  }

  /** Whether attributes from the engine are those of an encrypted name. */
  static boolean areEncrypted(Map<String, String> attributes) {
    return attributes.containsKey(ID);
  }

  /** Whether attributes from the engine are those of a name with encrypted keys. */
  static boolean hideKeys(Map<String, String> attributes) {
    return attributes.containsKey(HIDDEN_KEYS);
  }

  private static Map<String, String> plain(Map<String, String> attributes) {
    Map<String, String> plain = new HashMap<>(attributes);
    plain.keySet().removeIf(name -> name.startsWith(PREFIX));
    return Map.copyOf(plain);
  }

  private static SpaceInfo withoutKeys(SpaceInfo info) {
    return new SpaceInfo(
        info.name(),
        info.layout(),
        plain(info.attributes()),
        info.createdMillis(),
        info.openedMillis(),
        info.resets(),
        info.expiresMillis());
  }

  /** Replaces the attributes that the layers above see. */
  void setAttributes(String name, Map<String, String> attributes) {
    Objects.requireNonNull(attributes, "attributes");
    changing(
        () -> {
          Map<String, String> all = new HashMap<>(attributes);
          SpaceInfo there = engine.describe(name);
          if (there != null) {
            there.attributes().forEach((key, value) -> addOwn(all, key, value));
          }
          engine.setAttributes(name, all);
          return null;
        });
  }

  private static void addOwn(Map<String, String> all, String key, String value) {
    if (key.startsWith(PREFIX)) {
      all.put(key, value);
    }
  }

  /**
   * Gives an empty name the keys of another, or none: the encrypted values of that one may be
   * copied to it then.
   */
  void adopt(String name, SpaceKeys keys, SpaceKeys source) {
    if (keys.isClear() && !source.isClear()) {
      throw new UnsupportedOperationException(
          "The space \"" + name + "\" is not encrypted, and what is to be copied to it is.");
    }
    if (!keys.isClear()) {
      changing(
          () -> {
            replace(name, keys, source.stored(), source.hidden());
            return null;
          });
    }
  }

  /** Adds the keys that another name has got since it was adopted from. */
  void adoptMore(String name, SpaceKeys keys, SpaceKeys source) {
    if (!keys.isClear()) {
      changing(
          () -> {
            List<DataKey> all = new ArrayList<>(keys.stored());
            source.stored().stream().filter(key -> !has(all, key.number())).forEach(all::add);
            replace(name, keys, all, keys.hidden());
            return null;
          });
    }
  }

  /**
   * Adds a key, for all values from now on.
   *
   * @param unless does nothing if the current key is wrapped by this key of the store
   */
  void addKey(String name, SpaceKeys keys, int unless) {
    changing(
        () -> {
          if (!keys.isClear() && keys.current().storeKey() != unless) {
            List<DataKey> more = new ArrayList<>(keys.stored());
            more.add(new DataKey(unusedNumber(more), storeKeys.current(), KeyWrap.newKey()));
            replace(name, keys, more, keys.hidden());
          }
          return null;
        });
  }

  private static int unusedNumber(List<DataKey> keys) {
    if (keys.size() >= MOST_KEYS) {
      throw new IllegalStateException(
          "Keys were rotated "
              + MOST_KEYS
              + " times before the first rotation ended; wait for it.");
    }
    int number = (keys.get(keys.size() - 1).number() + 1) % MOST_KEYS;
    while (has(keys, number)) {
      number = (number + 1) % MOST_KEYS;
    }
    return number;
  }

  private static boolean has(List<DataKey> keys, int number) {
    return keys.stream().anyMatch(key -> key.number() == number);
  }

  /** Forgets keys that no stored value has any longer. */
  void dropKeys(String name, SpaceKeys keys, List<DataKey> unused) {
    changing(
        () -> {
          replace(
              name,
              keys,
              keys.stored().stream().filter(key -> !unused.contains(key)).toList(),
              keys.hidden());
          if (file != null) {
            Set<String> ids = new HashSet<>();
            unused.forEach(key -> ids.add(keys.id() + "." + key.number()));
            file.removeIf(ids::contains);
          }
          return null;
        });
  }

  /** Stores other keys of a name and uses them; throws if the name has another space now. */
  private void replace(
      String name, SpaceKeys keys, List<DataKey> next, @Nullable HiddenKeys hidden) {
    SpaceInfo there = engine.describe(name);
    if (there == null || !isOf(there, keys)) {
      throw new IllegalStateException(
          "The space \"" + name + "\" was dropped or renamed; look again.");
    }
    Map<String, String> plain = shown(there).attributes();
    engine.setAttributes(name, next.isEmpty() ? plain : withKeys(plain, keys.id(), next, hidden));
    keys.replace(next, hidden);
  }

  /** Whether a name has more keys than one, or an old one; reads only its description. */
  boolean isPending(SpaceInfo info) {
    String keys = info.attributes().get(KEYS);
    return keys != null
        && (keys.contains(",")
            || !keys.split(":", -1)[1].equals(String.valueOf(storeKeys.current())));
  }

  /** Gives the store another key. */
  void addStoreKey() {
    Runnable adding = storeKeys.next(); // calls the provider, so not under the lock
    changing(
        () -> {
          adding.run();
          return null;
        });
  }

  /** Forgets the older keys of the store once every name has newer ones. */
  void retireStoreKeys() {
    changing(
        () -> {
          if (storeKeys.hasOlder() && engine.list("").stream().noneMatch(this::isPending)) {
            storeKeys.retainCurrent();
          }
          return null;
        });
  }

  /** Keeps the keys of the store, which a drop of all names has dropped, too. */
  void keepStoreKeys() {
    storeKeys.keep();
  }

  /** Forgets the keys of a name that is gone. */
  void forget(@Nullable SpaceInfo gone) {
    String id = gone == null ? null : gone.attributes().get(ID);
    if (id != null) {
      forgetStored(id);
      known.remove(id); // snapshots and cursors may still have it
    }
  }

  private void forgetStored(String id) {
    if (file != null) {
      file.removeIf(key -> key.startsWith(id + "."));
    }
  }

  /** Whether a description is that of the space that has the keys. */
  static boolean isOf(SpaceInfo info, SpaceKeys keys) {
    return keys.id().equals(info.attributes().get(ID));
  }

  /** Runs a change of names or their attributes while no other one runs. */
  <R extends @Nullable Object> R changing(Supplier<R> change) {
    lock.lock();
    try {
      return change.get();
    } finally {
      lock.unlock();
    }
  }

  /** Unlocks the file of the keys, if there is one. */
  @Override
  public void close() {
    if (file != null) {
      file.close();
    }
  }
}
