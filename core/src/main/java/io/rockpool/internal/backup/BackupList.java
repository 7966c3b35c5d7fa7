package io.rockpool.internal.backup;

import io.rockpool.backup.BackupInfo;
import io.rockpool.backup.BackupTarget;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.StoreIoException;
import io.rockpool.internal.logging.LoggerNames;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The backups of a target: their manifests. */
public final class BackupList {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);
  private static final String FOLDER = "backups/";
  private static final Pattern NAME = Pattern.compile(FOLDER + "(\\d{8,18})-([0-9a-f]{64})\\.json");

  private final TargetObjects target;

  BackupList(TargetObjects target) {
    this.target = target;
  }

  /** A backup by the name of its manifest, which has the manifest's checksum. */
  record Named(long number, String sha256) {
    String object() {
      return FOLDER + String.format(Locale.ROOT, "%08d-%s.json", number, sha256);
    }
  }

  /** The readable backups of a target, the oldest first. An unreadable one is logged. */
  public static List<BackupInfo> of(BackupTarget target) {
    BackupList list = new BackupList(new TargetObjects(target));
    List<Named> names = list.names();
    while (true) {
      try {
        return list.read(names);
      } catch (StoreIoException e) {
        List<Named> before = names;
        names = list.names();
        if (names.containsAll(before)) {
          throw e;
        } // else one was deleted meanwhile, for example by the retention of another process
      }
    }
  }

  private List<BackupInfo> read(List<Named> names) {
    List<BackupInfo> infos = new ArrayList<>();
    for (Named backup : names) {
      try {
        infos.add(read(backup).info());
      } catch (CorruptStoreException e) {
        LOG.error("A backup cannot be used.", e);
      }
    }
    return infos;
  }

  /** All backups, the oldest first. */
  List<Named> names() {
    List<Named> names = new ArrayList<>();
    for (String object : target.list(FOLDER).keySet()) {
      Matcher name = NAME.matcher(object);
      if (name.matches()) {
        names.add(new Named(Long.parseLong(name.group(1)), name.group(2)));
      }
    }
    names.sort(Comparator.comparingLong(Named::number));
    return names;
  }

  /**
   * Reads a manifest.
   *
   * @throws CorruptStoreException if it is damaged
   */
  Manifest read(Named backup) {
    String text =
        target.access(
            "read from",
            () -> {
              try (InputStream in = target.get(backup.object())) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
              }
            });
    String found = Sha256.of(text);
    if (!found.equals(backup.sha256())) {
      throw target.damaged(backup.object(), "has the SHA-256 " + found);
    }
    try {
      Manifest manifest = Manifest.decode(text);
      if (manifest.info().number() != backup.number()) {
        throw new IllegalArgumentException("its number is " + manifest.info().number());
      }
      return manifest;
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw target.damaged(backup.object(), "cannot be read: " + e.getMessage());
    }
  }

  /**
   * Reads the manifest of the newest backup.
   *
   * @throws StoreIoException if there is none
   * @throws CorruptStoreException if it is damaged; older ones may not be
   */
  Manifest newest() {
    List<Named> names = names();
    if (names.isEmpty()) {
      throw new StoreIoException(
          "There is no complete backup in " + target + ". Check the path, or make one.",
          null,
          null);
    }
    return read(names.get(names.size() - 1));
  }

  /**
   * Reads the manifest of a backup.
   *
   * @throws StoreIoException if there is none with this number
   * @throws CorruptStoreException if it is damaged
   */
  Manifest numbered(long number) {
    for (Named backup : names()) {
      if (backup.number() == number) {
        return read(backup);
      }
    }
    throw new StoreIoException(
        "There is no backup " + number + " in " + target + ". List those that there are.",
        null,
        null);
  }

  /** Stores a manifest, if it can be read. From then on the backup is there. */
  void add(Manifest manifest) {
    String text = manifest.encode();
    if (!Manifest.decode(text).equals(manifest)) {
      throw new IllegalStateException("A manifest reads otherwise than it was written: " + text);
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    target.put(
        new Named(manifest.info().number(), Sha256.of(text)).object(),
        bytes.length,
        new ByteArrayInputStream(bytes));
  }
}
