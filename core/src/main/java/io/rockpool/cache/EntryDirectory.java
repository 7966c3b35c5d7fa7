package io.rockpool.cache;

import io.rockpool.codec.KeyCodec;
import io.rockpool.error.ServerUnavailableException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A directory on an engine of several processes without transactions over rows. {@link
 * DirectoryEntries} has an entry for the bytes that equal keys share; processes change it by
 * compare-and-set, so they agree on one of the equal keys.
 *
 * <p>Each use of a foreign key is one read of the directory. The first use for a write is a read
 * and a write. The bytes of an entry have a random number, so an entry whose key has left the
 * directory, because the server has evicted that, is never found again.
 */
final class EntryDirectory<K> extends KeyDirectory<K> {
  /**
   * The most unequal keys with one hash. Each is decoded whenever a new one of them is looked up.
   */
  private static final int MAX_KEYS = DirectoryRows.MAX_KEYS;

  /** The number of a key that is not in the directory. */
  private static final long ABSENT = 0;

  private final DirectoryEntries entries;

  EntryDirectory(KeyCodec<K> codec, DirectoryEntries entries) {
    super(codec);
    this.entries = entries;
  }

  @Override
  byte[] representative(K key, byte[] own, EntryKey common, boolean choose) {
    if (choose) {
      return choose(key, own, common.bytes());
    }
    DirectoryEntry.Chosen there;
    try {
      there = find(key, own, entries.read(common.bytes()));
    } catch (ServerUnavailableException e) {
      there = null; // the read of the entry fails too, or is a miss
    }
    return there == null ? KeyCodec.numbered(own, ABSENT) : there.entryKey();
  }

  private byte[] choose(K key, byte[] own, byte[] common) {
    while (true) {
      DirectoryEntry read = entries.read(common);
      DirectoryEntry.Chosen there = find(key, own, read);
      if (there != null && !entries.isOld(there)) {
        return there.entryKey();
      }
      if (there == null && read.keys().size() >= MAX_KEYS) {
        if (entries.sweep(common) > 0) {
          continue;
        }
        throw refusal(key, "its hashCode is that of " + read.keys().size() + " other keys");
      }
      writeWitnesses();
      DirectoryEntry.Chosen chosen =
          (there == null ? new DirectoryEntry.Chosen(own, number(), 0) : there)
              .at(entries.nowMillis());
      List<DirectoryEntry.Chosen> keys = new ArrayList<>(read.keys());
      if (there != null) {
        keys.remove(there);
      }
      keys.add(chosen);
      if (entries.replace(common, read, keys)) {
        return chosen.entryKey();
      }
    }
  }

  private static long number() {
    long number = ThreadLocalRandom.current().nextLong();
    return number == ABSENT ? 1 : number;
  }

  /** The key itself, or the first one that equals it; null for none. */
  private DirectoryEntry.@Nullable Chosen find(K key, byte[] own, DirectoryEntry read) {
    DirectoryEntry.Chosen same = DirectoryEntries.same(read, own);
    if (same != null) {
      return same;
    }
    for (DirectoryEntry.Chosen each : read.keys()) {
      if (isEqual(key, each.own())) {
        return each;
      }
    }
    return null;
  }

  /** Before a key of their classes is chosen. */
  private void writeWitnesses() {
    newWitnesses.forEach(
        (name, witness) -> {
          entries.putWitness(name.getBytes(StandardCharsets.UTF_8), witness);
          newWitnesses.remove(name, witness);
        });
  }

  @Override
  byte @Nullable [] witness(Object foreign, byte[] className) {
    return entries.witness(className);
  }

  @Override
  void forgetWitnesses() {
    entries.clear();
  }
}
