package io.rockpool.internal.encryption;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Engine;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceName;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.EncryptionKeyException;
import io.rockpool.internal.engine.BackgroundThread;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.internal.format.SealedValueFormat;
import io.rockpool.internal.logging.LoggerNames;
import io.rockpool.store.KeyRotationState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encrypts records with the newest key of their name, in the background, and then drops the older
 * keys. What is pending is known from the keys of the names, so that a killed process loses nothing
 * but the place in the name that it worked on.
 */
final class KeyRotation implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.ENGINE);

  /** Records between two cursors, so that none keeps replaced files for long. */
  private static final int PAGE_RECORDS = 256;

  private static final long WAIT_NANOS = Duration.ofMillis(1).toNanos();

  /** It runs when it is asked to. */
  private static final Duration PERIOD = Duration.ofDays(10_000);

  private final Engine engine;
  private final EngineUpkeep upkeep;
  private final NameKeys names;
  private final StoreKeys storeKeys;
  private final BackgroundThread thread;
  private final LongAdder seen = new LongAdder();
  private final LongAdder rewritten = new LongAdder();

  KeyRotation(Engine engine, NameKeys names, StoreKeys storeKeys) {
    this.engine = engine;
    this.upkeep = EngineUpkeep.of(engine);
    this.names = names;
    this.storeKeys = storeKeys;
    this.thread = new BackgroundThread("rockpool-key-rotation", PERIOD, this::run, upkeep.upkeep());
  }

  /** Continues what is pending, on a thread of its own. */
  void start() {
    boolean unused = thread.execute(this::run);
  }

  KeyRotationState state() {
    long pending = engine.list("").stream().filter(names::isPending).count();
    return new KeyRotationState(pending, seen.sum(), rewritten.sum());
  }

  private void run() {
    boolean goesOn = true;
    for (SpaceInfo info : engine.list("")) {
      goesOn = goesOn && thread.rest(0);
      // A copy that is not complete yet has the keys of what it is copied from.
      if (goesOn && names.isPending(info) && !info.name().startsWith(SpaceName.HINTS + "/:")) {
        rotateUnlessGone(info);
      }
    }
    if (goesOn) {
      names.retireStoreKeys();
    }
  }

  private void rotateUnlessGone(SpaceInfo info) {
    String name = info.name();
    try {
      rotate(name, names.of(info));
    } catch (CorruptStoreException | EncryptionKeyException e) {
      LOG.error("The keys of \"{}\" were not rotated, and the older ones stay.", name, e);
    } catch (IllegalStateException e) {
      if (thread.rest(0) && engine.describe(name) != null) {
        LOG.debug("The keys of \"{}\" were not rotated: it has changed.", name, e);
      }
    }
  }

  private void rotate(String name, SpaceKeys keys) {
    if (keys.isFilling()) {
      return;
    }
    names.addKey(name, keys, storeKeys.current());
    List<DataKey> old = keys.stored().subList(0, keys.stored().size() - 1);
    int over = keys.writes().change();
    boolean goesOn = true;
    while (goesOn && !keys.writes().hasEnded(over)) {
      goesOn = thread.rest(WAIT_NANOS);
    }
    Space space = goesOn ? upkeep.openForUpkeep(name) : null;
    // The name may have another space by now, as after a rename.
    if (space != null
        && NameKeys.isOf(space.info(), keys)
        && rewrite(space, new SpaceCipher(name, keys))) {
      engine.flush(); // before the keys of the values that were replaced are dropped
      names.dropKeys(name, keys, old);
    }
  }

  /** Rewrites every record that has an older key; returns false if it was stopped. */
  private boolean rewrite(Space space, SpaceCipher cipher) {
    @Nullable RecordKey last = null;
    boolean more = true;
    while (more) {
      if (!thread.rest(0)) {
        return false;
      }
      List<RecordKey> older = new ArrayList<>();
      int records = 0;
      try (Cursor page = space.scanAll(last)) {
        more = page.next();
        while (more) {
          last = new RecordKey(page.hashKey(), page.sortKey());
          if (isOlder(page.value(), cipher.keys())) {
            older.add(last);
          }
          more = ++records < PAGE_RECORDS && page.next();
        }
        more = records == PAGE_RECORDS;
      }
      seen.add(records);
      older.forEach(record -> rewrite(space, cipher, record));
    }
    return true;
  }

  private void rewrite(Space space, SpaceCipher cipher, RecordKey key) {
    boolean written = space.transact(key.hashKey(), row -> rewrite(row, cipher, key));
    if (written) {
      rewritten.increment();
    }
  }

  private static boolean rewrite(Row row, SpaceCipher cipher, RecordKey key) {
    RowRecord there = row.get(key.sortKey());
    if (there == null || !isOlder(there.value(), cipher.keys())) {
      return false;
    }
    long expiryMillis = there.expiryMillis();
    byte[] value = cipher.open(key.hashKey(), key.sortKey(), there.value(), expiryMillis);
    boolean counted = (there.value()[0] & SealedValueFormat.COUNTED) != 0;
    byte[] sealed = cipher.seal(key.hashKey(), key.sortKey(), value, expiryMillis, counted);
    if (counted) {
      row.putCounted(key.sortKey(), sealed, expiryMillis);
    } else {
      row.put(key.sortKey(), sealed, expiryMillis);
    }
    return true;
  }

  /** A value that is not an encrypted one counts as older, so that it is found to be damaged. */
  private static boolean isOlder(byte[] sealed, SpaceKeys keys) {
    return sealed.length < SealedValueFormat.OVERHEAD_BYTES
        || (sealed[SealedValueFormat.KEY_AT] & 0xFF) != keys.current().number();
  }

  /** Ends the thread, after the record that it works on. */
  @Override
  public void close() {
    thread.close();
  }
}
