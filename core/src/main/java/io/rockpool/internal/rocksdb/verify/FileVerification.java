package io.rockpool.internal.rocksdb.verify;

import io.rockpool.error.RockpoolException;
import io.rockpool.internal.engine.Verification;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import io.rockpool.internal.rocksdb.natives.BlobFile;
import io.rockpool.internal.rocksdb.natives.CloseGuard;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.store.FindingKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Checks a store's files: that each exists, and that each block of sorted records matches its
 * checksum. Large values are in their own files; their checksums are checked when their records are
 * read. Here it is checked that such a file can be opened again.
 */
final class FileVerification {
  private static final String SORTED = ".sst";
  private static final String LARGE = ".blob";

  private final Database database;
  private final CloseGuard guard;
  private final StoreDirectory directory;
  private final Verification run;

  FileVerification(
      Database database, CloseGuard guard, StoreDirectory directory, Verification run) {
    this.database = database;
    this.guard = guard;
    this.directory = directory;
    this.run = run;
  }

  void run() {
    List<Path> files = new ArrayList<>(directory.ownFiles());
    live().forEach(name -> files.add(directory.database().resolve(name)));
    boolean more = run.begin("files", files.size());
    for (int i = 0; more && i < files.size(); i++) {
      verify(files.get(i));
      more = run.file();
    }
  }

  private Set<String> live() {
    guard.enter();
    try {
      return database.files();
    } finally {
      guard.leave();
    }
  }

  private void verify(Path file) {
    guard.enter();
    try {
      if (Files.notExists(file)) {
        damaged(file, "it is missing");
      } else if (file.toString().endsWith(SORTED)) {
        database.verifyChecksums(file);
      } else if (file.toString().endsWith(LARGE) && !BlobFile.canBeOpened(file, rowsId())) {
        damaged(file, "its beginning or its end is not as it was written");
      }
    } catch (IOException e) {
      damaged(file, e.toString());
    } catch (RockpoolException e) {
      damaged(file, StoreVerification.reason(e));
    } finally {
      guard.leave();
    }
  }

  /** The only column family with files of large values. */
  private int rowsId() {
    return database.familyIds()[ColumnFamily.ROWS.index()];
  }

  /** Adds a finding, unless a compaction has deleted the file. */
  private void damaged(Path file, String detail) {
    boolean inDatabase = file.startsWith(directory.database());
    String name = file.getFileName().toString();
    if (!inDatabase || database.files().contains(name)) {
      run.add(FindingKind.DAMAGED_FILE, "", name, detail);
    }
  }
}
