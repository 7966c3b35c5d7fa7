package io.rockpool.benchmarks;

import io.rockpool.RockpoolBuilder;
import java.nio.file.Path;

/** Who keeps collections. */
public enum CollectionPeer {
  /** Rockpool's own, half of whose memory is for records on the heap. */
  ROCKPOOL("Rockpool", "rockpool", Kept.ALL, "about a second is lost") {
    @Override
    PeerCollections open(Path directory) {
      return new RockpoolCollections(directory, RockpoolBuilder.DEFAULT_MEMORY_BYTES / 2);
    }
  },
  /** Rockpool with no records on the heap; only if it is asked for by name. */
  ROCKPOOL_NATIVE("Rockpool, none on the heap", "rockpool", Kept.ALL, "about a second is lost") {
    @Override
    PeerCollections open(Path directory) {
      return new RockpoolCollections(directory, 0);
    }
  },
  /** A queue on Rockpool's engine whose ends are looked for by a scan: what a deque saves. */
  SCAN("a scan for each end", "rockpool", Kept.ALL, "about a second is lost") {
    @Override
    PeerCollections open(Path directory) {
      return new ScanQueue(directory);
    }
  },
  /** MapDB as it is fastest: mapped into memory, with no log. */
  MAPDB("MapDB, mapped, no log", "mapdb", Kept.NONE, "the file is damaged") {
    @Override
    PeerCollections open(Path directory) {
      return new MapDbCollections(directory, false);
    }
  },
  /** MapDB with a log, and a commit after each operation. */
  MAPDB_COMMIT("MapDB, a commit each", "mapdb", Kept.ALL, "nothing is lost") {
    @Override
    PeerCollections open(Path directory) {
      return new MapDbCollections(directory, true);
    }
  },
  /** MVStore with its defaults: a thread of its own commits once in a second. */
  MVSTORE("MVStore, a commit in a second", "mvstore", Kept.A_SECOND_LESS, "some seconds are lost") {
    @Override
    PeerCollections open(Path directory) {
      return new MvStoreCollections(directory, false);
    }
  },
  /** MVStore with a commit after each operation. */
  MVSTORE_COMMIT("MVStore, a commit each", "mvstore", Kept.ALL, "some seconds are lost") {
    @Override
    PeerCollections open(Path directory) {
      return new MvStoreCollections(directory, true);
    }
  },
  /** Chronicle Queue: a log mapped into memory, and a reader that knows where it is. */
  CHRONICLE("Chronicle Queue", "chronicle", Kept.ALL, "what the system had not written is lost") {
    @Override
    PeerCollections open(Path directory) {
      return new ChronicleCollections(directory);
    }
  },
  /** A table of messages in SQLite, through JDBC: what many build themselves. */
  SQLITE("SQLite, a table", "sqlite", Kept.ALL, "what the system had not written is lost") {
    @Override
    PeerCollections open(Path directory) {
      return new SqliteCollections(directory);
    }
  },
  /** A Redis server on this machine through Redisson, its log written before it answers. */
  REDIS("Redis through Redisson", "redisson", Kept.ALL, "about a second is lost") {
    @Override
    PeerCollections open(Path directory) {
      return new RedisCollections(directory);
    }
  };

  /** What of the operations that had returned is there after the process was killed. */
  private static final class Kept {
    static final String ALL = "all is kept";
    static final String A_SECOND_LESS = "up to a second is lost";
    static final String NONE = "the file is damaged";
  }

  private final String title;
  private final String library;
  private final String afterKill;
  private final String afterPowerLoss;

  CollectionPeer(String title, String library, String afterKill, String afterPowerLoss) {
    this.title = title;
    this.library = library;
    this.afterKill = afterKill;
    this.afterPowerLoss = afterPowerLoss;
  }

  /** Opens its collections in a directory: new ones if that is empty. */
  abstract PeerCollections open(Path directory);

  /** Who it is, for people. */
  String title() {
    return title;
  }

  /** The name under which {@link Versions} knows it. */
  String library() {
    return library;
  }

  /** What is left after {@code kill -9}. */
  String afterKill() {
    return afterKill;
  }

  /** What is left after a power loss. */
  String afterPowerLoss() {
    return afterPowerLoss;
  }

  /** Whether it can run on this machine. */
  boolean isThere() {
    return this != REDIS || RedisServer.isInstalled();
  }
}
