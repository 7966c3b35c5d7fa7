package io.rockpool.benchmarks;

import java.nio.file.Path;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.Serializer;

/** {@link CollectionPeer#MAPDB} and {@link CollectionPeer#MAPDB_COMMIT}. It has no queue. */
final class MapDbCollections implements PeerCollections {
  private final DB db;
  private final boolean committing;

  MapDbCollections(Path directory, boolean committing) {
    DBMaker.Maker maker =
        DBMaker.fileDB(directory.resolve("mapdb").toFile()).fileMmapEnableIfSupported();
    this.db = (committing ? maker.transactionEnable() : maker).make();
    this.committing = committing;
  }

  private void changed() {
    if (committing) {
      db.commit();
    }
  }

  @Override
  public Entries entries() {
    Map<String, byte[]> map =
        db.hashMap("entries", Serializer.STRING, Serializer.BYTE_ARRAY).createOrOpen();
    return new Entries() {
      @Override
      public byte @Nullable [] put(String key, byte[] value) {
        byte[] before = map.put(key, value);
        changed();
        return before;
      }

      @Override
      public byte @Nullable [] get(String key) {
        return map.get(key);
      }

      @Override
      public void putAll(Map<String, byte[]> entries) {
        map.putAll(entries);
        changed();
      }
    };
  }

  @Override
  public SortedWords sortedWords() {
    NavigableSet<String> set = db.treeSet("words", Serializer.STRING).createOrOpen();
    return new SortedWords() {
      @Override
      public boolean add(String word) {
        boolean added = set.add(word);
        changed();
        return added;
      }

      @Override
      public void addAll(Collection<String> words) {
        set.addAll(words);
        changed();
      }

      @Override
      public int read(String from, int limit) {
        Iterator<String> walk = set.tailSet(from, true).iterator();
        int read = 0;
        while (read < limit && walk.hasNext()) {
          walk.next();
          read++;
        }
        return read;
      }
    };
  }

  @Override
  public void close() {
    db.close();
  }
}
