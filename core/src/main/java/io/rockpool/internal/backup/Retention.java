package io.rockpool.internal.backup;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.RockpoolException;
import io.rockpool.internal.logging.LoggerNames;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes old backups: first their manifests, then the files that no other backup has. A process
 * that is killed in between leaves files, which the next call deletes.
 */
final class Retention {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  private final TargetObjects target;
  private final BackupList list;

  Retention(TargetObjects target, BackupList list) {
    this.target = target;
    this.list = list;
  }

  /** Keeps the newest backups. A failure is only logged: the new backup is complete. */
  void keep(int backups) {
    try {
      List<BackupList.Named> all = list.names();
      int first = Math.max(0, all.size() - backups);
      all.subList(0, first).forEach(old -> target.delete(old.object()));
      Set<String> used = new HashSet<>();
      for (BackupList.Named kept : all.subList(first, all.size())) {
        list.read(kept).files().forEach(file -> used.add(file.object()));
      }
      for (String object : target.list(StoredFile.FOLDER).keySet()) {
        if (!used.contains(object)) {
          target.delete(object);
        }
      }
    } catch (CorruptStoreException e) {
      LOG.error("Files of old backups stay, because it is unknown what a damaged one needs.", e);
    } catch (RockpoolException e) {
      LOG.warn("Old backups stay for now.", e);
    }
  }
}
