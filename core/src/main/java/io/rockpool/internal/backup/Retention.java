package io.rockpool.internal.backup;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.RockpoolException;
import io.rockpool.internal.logging.LoggerNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes old backups: first their manifests, then the files and segments that no other backup
 * needs. A process that is killed in between leaves some, which the next call deletes.
 */
final class Retention {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  private final TargetObjects target;
  private final BackupList list;

  Retention(TargetObjects target) {
    this.target = target;
    this.list = new BackupList(target);
  }

  /** Keeps the newest backups. A failure is only logged: the new backup is complete. */
  void keep(int backups) {
    keepFrom(all -> Math.max(0, all.size() - backups));
  }

  /** Keeps the backups from which a moment from {@code oldest} on is restored. */
  void keepSince(Instant oldest) {
    keepFrom(
        all -> {
          int first = all.size() - 1;
          while (first > 0 && list.read(all.get(first)).until().isAfter(oldest)) {
            first--;
          }
          return Math.max(0, first);
        });
  }

  /**
   * Keeps some backups.
   *
   * @param oldest the index of the oldest one to keep in a list of all
   */
  private void keepFrom(ToIntFunction<List<BackupList.Named>> oldest) {
    try {
      List<BackupList.Named> all = list.names();
      int first = oldest.applyAsInt(all);
      List<BackupList.Named> old = new ArrayList<>(all.subList(0, first));
      List<Manifest> kept = new ArrayList<>();
      all.subList(first, all.size()).forEach(backup -> kept.add(list.read(backup)));
      keepShipped(old, kept);
      old.forEach(backup -> target.delete(backup.object()));
      deleteFiles(kept);
      deleteSegments(kept);
    } catch (CorruptStoreException e) {
      LOG.error("Files of old backups stay, because it is unknown what a damaged one needs.", e);
    } catch (RockpoolException e) {
      LOG.warn("Old backups stay for now.", e);
    }
  }

  /**
   * Also keeps the newest backup of the timeline that was shipped last: without it, the log that is
   * being shipped could not be restored.
   */
  private void keepShipped(List<BackupList.Named> old, List<Manifest> kept) {
    String timeline =
        new SegmentList(target)
            .names().stream()
                .max(Comparator.comparingLong(SegmentName::untilMillis))
                .map(SegmentName::timeline)
                .orElse("");
    boolean isShipped = !timeline.isEmpty();
    for (int i = old.size() - 1; isShipped && i >= 0; i--) {
      if (kept.stream().anyMatch(manifest -> manifest.timeline().equals(timeline))) {
        return;
      }
      Manifest manifest = list.read(old.get(i));
      if (manifest.timeline().equals(timeline)) {
        kept.add(manifest);
        old.remove(i);
      }
    }
  }

  private void deleteFiles(List<Manifest> kept) {
    Set<String> used = new HashSet<>();
    kept.forEach(manifest -> manifest.files().forEach(file -> used.add(file.object())));
    for (String object : target.list(StoredFile.FOLDER).keySet()) {
      if (!used.contains(object)) {
        target.delete(object);
      }
    }
  }

  /** A segment is needed if a kept backup of its timeline is older than its end. */
  private void deleteSegments(List<Manifest> kept) {
    Map<String, Long> oldest = new HashMap<>();
    kept.forEach(
        manifest -> oldest.merge(manifest.timeline(), manifest.info().sequence(), Math::min));
    for (SegmentName segment : new SegmentList(target).names()) {
      if (segment.last() < oldest.getOrDefault(segment.timeline(), Long.MAX_VALUE)) {
        target.delete(segment.object());
      }
    }
  }
}
