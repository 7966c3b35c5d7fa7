package io.rockpool.internal.encryption;

import io.rockpool.encryption.Encryption;
import io.rockpool.engine.Capability;
import io.rockpool.engine.ChangeListener;
import io.rockpool.engine.CommitLock;
import io.rockpool.engine.Engine;
import io.rockpool.engine.EngineLimits;
import io.rockpool.engine.RecordChecks;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.EncryptionKeyException;
import io.rockpool.error.NameConflictException;
import io.rockpool.error.StoreLockedException;
import io.rockpool.internal.engine.BoundRules;
import io.rockpool.internal.engine.BoundTransaction;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.internal.engine.Evictor;
import io.rockpool.internal.engine.HeapLender;
import io.rockpool.internal.engine.Upkeep;
import io.rockpool.store.DiskState;
import io.rockpool.store.Durability;
import io.rockpool.store.KeyRotationState;
import io.rockpool.store.ReclaimState;
import io.rockpool.store.Reclaimed;
import io.rockpool.store.Registration;
import io.rockpool.store.ServerState;
import io.rockpool.store.VerifyOptions;
import io.rockpool.store.VerifyReport;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An engine that encrypts the values of all records of another engine. Names, attributes, keys and
 * expiries are those of the other engine.
 */
public final class EncryptedEngine implements Engine, EngineUpkeep {
  /** No key of a store has this number. */
  private static final int NO_KEY = -1;

  private final Engine engine;
  private final EngineUpkeep upkeep;
  private final NameKeys names;
  private final KeyRotation rotation;

  /** The names that this handle has opened and whose keys are encrypted. */
  private final Map<String, SpaceCipher> hiding = new ConcurrentHashMap<>();

  private EncryptedEngine(Engine engine, Encryption encryption, boolean readOnly) {
    this.engine = engine;
    this.upkeep = EngineUpkeep.of(engine);
    if (encryption.keyFile() != null && engine.capabilities().contains(Capability.SHARED)) {
      throw new IllegalArgumentException(
          engine.description()
              + " may be open in several processes, which cannot share a file of keys. Leave"
              + " Encryption.keysIn out.");
    }
    StoreKeys storeKeys = StoreKeys.open(engine, encryption, readOnly);
    this.names = new NameKeys(engine, encryption, storeKeys, readOnly);
    this.rotation = new KeyRotation(engine, names, storeKeys);
    if (!readOnly) {
      rotation.start();
    }
  }

  /**
   * Returns an engine that encrypts, or the engine itself without encryption.
   *
   * @param readOnly whether the engine rejects every change
   * @throws EncryptionKeyException if a key is missing or wrong; the engine stays open
   * @throws StoreLockedException if another store has the file of keys; the engine stays open
   */
  public static Engine over(Engine engine, @Nullable Encryption encryption, boolean readOnly) {
    if (encryption != null) {
      return new EncryptedEngine(engine, encryption, readOnly);
    }
    String keyId = StoreKeys.masterKeyId(engine);
    if (keyId != null) {
      throw new EncryptionKeyException(
          engine.description()
              + " is encrypted with the master key \""
              + keyId
              + "\", and no KeyProvider was given. Give one with the option encryption.",
          keyId,
          null);
    }
    return engine;
  }

  /** Whether the values of a name with these attributes of the engine below are encrypted. */
  public static boolean areEncrypted(Map<String, String> attributes) {
    return NameKeys.areEncrypted(attributes);
  }

  /** Whether the values of a name are encrypted; false if there is no such name. */
  public boolean isEncrypted(String name) {
    SpaceInfo there = engine.describe(name);
    return there != null && areEncrypted(there.attributes());
  }

  /** Whether the keys of a name are encrypted; false if there is no such name. */
  public boolean hidesKeys(String name) {
    SpaceInfo there = engine.describe(name);
    return there != null && NameKeys.hideKeys(there.attributes());
  }

  /**
   * Decrypts records of a name of a store with the same keys, from which they were copied.
   *
   * @param attributes the name's attributes in the engine below
   * @return a function that throws a {@link CorruptStoreException} for a damaged record
   * @throws EncryptionKeyException if the key of the name is missing or damaged
   */
  public UnaryOperator<RowRecord> decrypting(String name, Map<String, String> attributes) {
    return new SpaceCipher(name, names.of(name, attributes))::open;
  }

  /** Encrypts all records with new keys, in the background; see {@code Rockpool.rotateKeys}. */
  public void rotateKeys() {
    if (capabilities().contains(Capability.SHARED)) {
      throw new UnsupportedOperationException(
          description()
              + " may be open elsewhere, where values are still encrypted with the older keys, so"
              + " keys cannot be rotated. Copy the names instead.");
    }
    if (inTransaction()) {
      throw new IllegalStateException(
          "Rotating keys changes the catalog and cannot be part of a transaction; call it before or"
              + " after atomically.");
    }
    names.addStoreKey();
    rotation.start();
  }

  /** How far {@link #rotateKeys} has come. */
  public KeyRotationState keyRotation() {
    return rotation.state();
  }

  private Space handle(Space space, SpaceKeys keys) {
    if (keys.hidden() == null) {
      hiding.remove(space.name());
    } else {
      hiding.put(space.name(), new SpaceCipher(space.name(), keys));
    }
    return new EncryptedSpace(engine, space, keys, this::copy);
  }

  private static void refuseKeys(String name) {
    if (name.equals(SpaceName.KEYS)) {
      throw new NameConflictException(
          "The name \"" + name + "\" has the keys of the store; choose another.", name);
    }
  }

  /** Copies encrypted records, with the keys that they need; new records have a new key. */
  private void copy(EncryptedSpace from, Space to) {
    if (!(to instanceof EncryptedSpace target) || target.engine() != engine) {
      throw new IllegalArgumentException(
          "The space \""
              + from.name()
              + "\" and its copy are in different stores; copy within"
              + " one.");
    }
    if (target.keys().isClear() && from.keys().isClear()) {
      from.encrypted().copyTo(target.encrypted());
      return;
    }
    target.keys().setFilling(true);
    try {
      names.adopt(target.name(), target.keys(), from.keys());
      from.encrypted().copyTo(target.encrypted());
      names.adoptMore(target.name(), target.keys(), from.keys());
      names.addKey(target.name(), target.keys(), NO_KEY);
    } finally {
      target.keys().setFilling(false);
    }
    rotation.start();
  }

  @Override
  public String description() {
    return engine.description();
  }

  @Override
  public Set<Capability> capabilities() {
    return engine.capabilities();
  }

  /** {@inheritDoc} An encrypted value is longer, so one just below the limit may be rejected. */
  @Override
  public EngineLimits limits() {
    return engine.limits();
  }

  @Override
  public InstantSource clock() {
    return engine.clock();
  }

  @Override
  public Space create(SpaceSpec spec) {
    refuseKeys(spec.name());
    NameKeys.Created created = names.create(spec, engine::create);
    return handle(created.space(), created.keys());
  }

  @Override
  public @Nullable Space open(String name) {
    return opened(name, engine.open(hidden(name)));
  }

  @Override
  public @Nullable Space openForUpkeep(String name) {
    return opened(name, upkeep.openForUpkeep(hidden(name)));
  }

  /** A name that no space has, instead of that of the keys. */
  private static String hidden(String name) {
    return name.equals(SpaceName.KEYS) ? SpaceName.KEYS + "/" : name;
  }

  private @Nullable Space opened(String name, @Nullable Space space) {
    if (space == null) {
      return null;
    }
    SpaceInfo info;
    try {
      info = space.info();
    } catch (IllegalStateException e) {
      SpaceInfo unused = engine.describe(name); // throws if the engine is closed
      return null; // dropped since
    }
    return handle(space, names.of(info));
  }

  @Override
  public Space reset(SpaceSpec spec) {
    refuseKeys(spec.name());
    NameKeys.Created created =
        names.changing(
            () -> {
              SpaceInfo before = engine.describe(spec.name());
              NameKeys.Created reset = names.create(spec, engine::reset);
              names.forget(before);
              return reset;
            });
    return handle(created.space(), created.keys());
  }

  @Override
  public @Nullable Space reset(SpaceSpec spec, Map<String, String> attributes) {
    refuseKeys(spec.name());
    NameKeys.Created created =
        names.<NameKeys.@Nullable Created>changing(
            () -> {
              SpaceInfo before = engine.describe(spec.name());
              if (before == null || !NameKeys.shown(before).attributes().equals(attributes)) {
                return null;
              }
              NameKeys.Created reset =
                  names.createOrNot(spec, all -> engine.reset(all, before.attributes()));
              if (reset != null) {
                names.forget(before);
              }
              return reset;
            });
    return created == null ? null : handle(created.space(), created.keys());
  }

  @Override
  public @Nullable SpaceInfo describe(String name) {
    SpaceInfo info = name.equals(SpaceName.KEYS) ? null : engine.describe(name);
    return info == null ? null : NameKeys.shown(info);
  }

  @Override
  public List<SpaceInfo> list(String level) {
    return engine.list(level).stream()
        .filter(info -> !info.name().equals(SpaceName.KEYS))
        .map(NameKeys::shown)
        .toList();
  }

  @Override
  public void setAttributes(String name, Map<String, String> attributes) {
    names.setAttributes(hidden(name), attributes);
  }

  @Override
  public boolean drop(String name) {
    return names.changing(
        () -> {
          SpaceInfo before = engine.describe(hidden(name));
          boolean dropped = engine.drop(hidden(name));
          names.forget(before);
          hiding.remove(name);
          return dropped;
        });
  }

  @Override
  public int dropAll(String level) {
    return names.changing(
        () -> {
          List<SpaceInfo> before = engine.list(level);
          int dropped = engine.dropAll(level);
          before.forEach(names::forget);
          before.forEach(info -> hiding.remove(info.name()));
          if (level.isEmpty()) {
            names.keepStoreKeys();
            dropped--;
          }
          return dropped;
        });
  }

  @Override
  public boolean rename(String from, String to, boolean replace) {
    refuseKeys(to);
    boolean renamed =
        names.changing(
            () -> {
              SpaceInfo replaced = engine.describe(to);
              boolean done = engine.rename(hidden(from), to, replace);
              if (done) {
                names.forget(replaced);
              }
              return done;
            });
    if (renamed) {
      rotation.start(); // of a copy that is complete now
    }
    return renamed;
  }

  @Override
  public <R extends @Nullable Object> R atomically(Supplier<R> work) {
    return engine.atomically(work);
  }

  @Override
  public BoundTransaction beginTransaction(BoundRules rules) {
    return upkeep.beginTransaction(rules);
  }

  @Override
  public boolean inTransaction() {
    return engine.inTransaction();
  }

  @Override
  public void afterCommit(Runnable action) {
    engine.afterCommit(action);
  }

  @Override
  public void tellAfterCommit(Runnable action, @Nullable CommitLock lock) {
    engine.tellAfterCommit(action, lock);
  }

  @Override
  public void afterTransaction(Runnable action) {
    engine.afterTransaction(action);
  }

  @Override
  public Registration onChange(ChangeListener listener) {
    Objects.requireNonNull(listener, "listener");
    return engine.onChange(new ShownChanges(listener, hiding));
  }

  @Override
  public <R extends @Nullable Object> R withDurability(
      Durability durability, Supplier<? extends R> writes) {
    return engine.withDurability(durability, writes);
  }

  @Override
  public void flush() {
    engine.flush();
  }

  @Override
  public Reclaimed reclaim() {
    return engine.reclaim();
  }

  @Override
  public long diskBytes() {
    return engine.diskBytes();
  }

  @Override
  public VerifyReport verify(VerifyOptions options, RecordChecks checks) {
    Objects.requireNonNull(checks, "checks");
    return engine.verify(options, new EncryptedChecks(checks, names, clock()));
  }

  @Override
  public void whenReclaiming(Supplier<List<BooleanSupplier>> sweeps) {
    upkeep.whenReclaiming(sweeps);
  }

  @Override
  public void compact() {
    upkeep.compact();
  }

  @Override
  public ReclaimState reclaimState() {
    return upkeep.reclaimState();
  }

  @Override
  public void evictBy(Evictor evictor) {
    Objects.requireNonNull(evictor, "evictor");
    upkeep.evictBy(
        new Evictor() {
          @Override
          public Map<String, Long> budgets() {
            return evictor.budgets();
          }

          @Override
          public Map<String, EntryBound> entryBounds() {
            return evictor.entryBounds();
          }

          @Override
          public int evict(Space space, List<byte[]> hashKeys, boolean all) {
            SpaceKeys keys = names.of(space.info());
            HiddenKeys hidden = keys.hidden();
            List<byte[]> shown = hidden == null ? hashKeys : hidden.shownHashes(hashKeys);
            return evictor.evict(handle(space, keys), shown, all);
          }
        });
  }

  @Override
  public void keepRecordsIn(HeapLender lender) {
    upkeep.keepRecordsIn(lender);
  }

  @Override
  public OptionalLong diskBytes(String name) {
    return upkeep.diskBytes(name);
  }

  @Override
  public OptionalLong countedEntries(String name) {
    return upkeep.countedEntries(name);
  }

  @Override
  public DiskState diskState() {
    return upkeep.diskState();
  }

  @Override
  public void probeWrite() {
    upkeep.probeWrite();
  }

  @Override
  public Optional<ServerState> serverState() {
    return upkeep.serverState();
  }

  @Override
  public boolean missesWhenAway() {
    return upkeep.missesWhenAway();
  }

  @Override
  public Object serverOf(String space, byte[] hashKey) {
    SpaceCipher cipher = hiding.get(space);
    return upkeep.serverOf(space, cipher == null ? hashKey : cipher.hash(hashKey));
  }

  @Override
  public void missed() {
    upkeep.missed();
  }

  @Override
  public void dropped(String space, Collection<byte[]> hashKeys) {
    SpaceCipher cipher = hiding.get(space);
    upkeep.dropped(space, cipher == null ? hashKeys : hashKeys.stream().map(cipher::hash).toList());
  }

  @Override
  public long leaks() {
    return upkeep.leaks();
  }

  @Override
  public Upkeep upkeep() {
    return upkeep.upkeep();
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException from inside a transaction; nothing is closed
   */
  @Override
  public void close() {
    if (engine.inTransaction()) {
      engine.close(); // throws
      return;
    }
    rotation.close();
    try {
      engine.close();
    } finally {
      names.close();
    }
  }
}
