package io.rockpool.internal.rocksdb.natives;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.RockpoolException;
import io.rockpool.internal.concurrent.EveryStep;
import io.rockpool.internal.logging.LoggerNames;
import io.rockpool.internal.rocksdb.files.DamagedTables;
import io.rockpool.internal.rocksdb.files.JournalFile;
import io.rockpool.internal.rocksdb.files.LogFiles;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import io.rockpool.internal.rocksdb.natives.BufferPool.Buffers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.LogFile;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.Options;
import org.rocksdb.PerfLevel;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Slice;
import org.rocksdb.SstFileReader;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open RocksDB and all its native handles. Call it inside the {@link CloseGuard}; only {@link
 * WritePath} calls the methods that change records. Every exception is one of Rockpool's.
 */
public final class Database implements AutoCloseable {
  /** The result of {@link #read} and {@link #peek} if there is no record. */
  public static final int NOT_FOUND = RocksDB.NOT_FOUND;

  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  /** Opening reads a log of this length within a tenth of a second. */
  private static final long MAX_LOG_BYTES_AFTER_CLOSE = 4 << 20;

  /** How often a read of several keys tries to do without a drain. */
  private static final int TRIES_WITHOUT_DRAIN = 3;

  private static final ColumnFamily[] FAMILIES = ColumnFamily.values();

  /** A file in one of RocksDB's messages. */
  private static final Pattern TABLE = Pattern.compile("(\\d+)\\.(sst|blob)");

  private final Path directory;
  private final LogFiles logs;
  private final NativeOptions tuning;
  private final NativeDatabase opened;
  private final Measures measures;
  private final DamagedTables damaged;
  private final int[] familyIds;
  private final ReadPoint now = new ReadPoint(null);
  private final WriteOptions writes = new WriteOptions();
  private final WriteOptions syncWrites = new WriteOptions().setSync(true);
  private final WriteOptions impatientWrites = new WriteOptions().setNoSlowdown(true);
  private final DiskToll toll = new DiskToll();
  private final WriteBuffer buffer;
  private @Nullable WriteGate gate;

  /** Tables that the next reopening puts in place, and all that were tried since the opening. */
  private final List<TableMend> mends = new ArrayList<>();

  private final Set<String> tried = new TreeSet<>();
  private final LongScans longScans = new LongScans();

  private Database(
      Path directory,
      LogFiles logs,
      NativeOptions tuning,
      NativeDatabase opened,
      JournalFile journal,
      int bufferBytes,
      DamagedTables damaged) {
    this.damaged = damaged;
    this.directory = directory;
    this.logs = logs;
    this.tuning = tuning;
    this.opened = opened;
    this.measures = new Measures(opened, directory);
    this.familyIds = opened.handles().stream().mapToInt(ColumnFamilyHandle::getID).toArray();
    this.buffer =
        new WriteBuffer(new BufferTarget(), journal, familyId(ColumnFamily.ENTRIES), bufferBytes);
  }

  /**
   * Opens the database in {@code files} for the store in {@code directory}; creates it if {@code
   * create}.
   */
  public static Database open(Path directory, Path files, StoreLimits limits, boolean create) {
    NativeOptions tuning = new NativeOptions(limits);
    DamagedTables damaged = DamagedTables.read(directory);
    try {
      List<ColumnFamilyDescriptor> families =
          Arrays.stream(FAMILIES)
              .map(
                  family ->
                      new ColumnFamilyDescriptor(
                          family.bytes(),
                          tuning
                              .family(family)
                              .setDisableAutoCompactions(damaged.isIn(family.name()))))
              .toList();
      LogFiles logs = new LogFiles(directory, files);
      removeCopies(directory, files);
      List<JournalFile.Frame> frames = create ? List.of() : JournalFile.read(directory);
      NativeDatabase opened =
          new NativeDatabase(
              logs,
              tuning.database(create, RefusedChanges.in(frames), damaged.hasMended()),
              families);
      tuning.recovered();
      int bufferBytes = WriteBuffer.capacity(limits.memoryBudgetBytes());
      JournalFile journal =
          journal(directory, opened, frames, WriteBuffer.journalBytes(bufferBytes));
      try {
        return new Database(directory, logs, tuning, opened, journal, bufferBytes, damaged);
      } catch (RuntimeException | Error e) {
        new EveryStep().take(journal::close).take(opened::closeOnce).addTo(e);
        throw e;
      }
    } catch (RocksDBException e) {
      RockpoolException failure = NativeFailures.of(e, "open", directory);
      new EveryStep().take(tuning::close).addTo(failure);
      throw failure;
    } catch (RuntimeException | Error e) {
      new EveryStep().take(tuning::close).addTo(e);
      throw e;
    }
  }

  private static void removeCopies(Path directory, Path files) {
    try {
      TableMend.removeCopies(files);
    } catch (IOException e) {
      throw StoreDirectory.refused("open", directory, e);
    }
  }

  /** Replays the journal, if any, and begins a new one. If that fails, closes the database. */
  private static JournalFile journal(
      Path directory, NativeDatabase opened, List<JournalFile.Frame> frames, int halfBytes)
      throws RocksDBException {
    try {
      replay(directory, opened.db(), frames);
      return JournalFile.create(directory, halfBytes);
    } catch (RocksDBException | RuntimeException | Error e) {
      new EveryStep().take(opened::closeOnce).addTo(e);
      throw e;
    }
  }

  /** Writes the changes that the database does not have, if the first of them follows its last. */
  private static void replay(Path directory, RocksDB db, List<JournalFile.Frame> frames)
      throws RocksDBException {
    long sequence = db.getLatestSequenceNumber();
    long before = sequence;
    try (WriteOptions options = new WriteOptions()) {
      for (JournalFile.Frame frame : frames) {
        if (frame.count() > 0 && frame.sequence() == sequence + 1) {
          try (WriteBatch changes =
              new WriteBatch(BatchFormat.encode(frame.count(), frame.changes()))) {
            db.write(options, changes);
          }
          sequence += frame.count();
        }
      }
    }
    if (sequence != before) {
      db.syncWal();
      LOG.info(
          "{} changes of the store at {} came from its journal.", sequence - before, directory);
    }
  }

  /**
   * Stops RocksDB's default counters on this thread: no code reads them, and they cost a tenth of a
   * read. A higher level that the application has set stays.
   */
  public void dropCounts() {
    RocksDB db = db();
    if (db.getPerfLevel() == PerfLevel.ENABLE_COUNT) {
      db.setPerfLevel(PerfLevel.DISABLE);
    }
  }

  /** Throws if reads are not possible: it could not be reopened. */
  public void check() {
    db();
  }

  /** The read point of the latest data. */
  public ReadPoint now() {
    return now;
  }

  /** Takes a snapshot of the latest data; it must be {@link #release}d. */
  ReadPoint snapshot() {
    if (!buffer.isEmpty()) {
      drain();
    }
    ReadPoint point = new ReadPoint(db().getSnapshot());
    opened.hold();
    return point;
  }

  /** Releases a snapshot that no thread reads any longer. */
  void release(ReadPoint point) {
    point.close();
    db().releaseSnapshot(Objects.requireNonNull(point.snapshot()));
    opened.letGo();
  }

  /** The ids of the column families, for {@link Batch}. */
  public int[] familyIds() {
    return familyIds;
  }

  /**
   * Reads a record into {@code buffers}, which grow as needed. Returns its length, or {@link
   * #NOT_FOUND}.
   */
  public int read(
      ReadPoint point, ColumnFamily family, byte[] key, int keyLength, Buffers buffers) {
    byte[] buffered = buffered(point, family, key, keyLength);
    if (buffered != null) {
      return copy(buffered, buffers.record(buffered.length));
    }
    byte[] target = buffers.record();
    int length = get(point, family, key, keyLength, target);
    while (length > target.length) {
      target = buffers.record(length);
      length = get(point, family, key, keyLength, target);
    }
    return length;
  }

  /**
   * Reads the beginning of a record, as much as {@code target} holds. Returns the whole length, or
   * {@link #NOT_FOUND}.
   */
  public int peek(ReadPoint point, ColumnFamily family, byte[] key, byte[] target) {
    byte[] buffered = buffered(point, family, key, key.length);
    return buffered == null ? get(point, family, key, key.length, target) : copy(buffered, target);
  }

  private int get(ReadPoint point, ColumnFamily family, byte[] key, int keyLength, byte[] target) {
    try {
      return db().get(handle(family), point.options, key, 0, keyLength, target, 0, target.length);
    } catch (RocksDBException e) {
      throw failed(e, "read from");
    }
  }

  /** The latest record at {@code key}, or null. */
  public byte @Nullable [] get(ColumnFamily family, byte[] key) {
    byte[] buffered = buffered(now, family, key, key.length);
    if (buffered != null) {
      return buffered == BufferPart.DELETED ? null : buffered;
    }
    try {
      return db().get(handle(family), now.options, key);
    } catch (RocksDBException e) {
      throw failed(e, "read from");
    }
  }

  /** The latest records at {@code keys}, null for each absent one, in the same order. */
  public List<byte @Nullable []> getAll(ColumnFamily family, List<byte[]> keys) {
    return getAll(now, family, keys);
  }

  /** The records at {@code keys}, null for each absent one, in the same order. */
  public List<byte @Nullable []> getAll(ReadPoint point, ColumnFamily family, List<byte[]> keys) {
    if (point == now && !buffer.isEmpty()) {
      for (int tries = 0; tries < TRIES_WITHOUT_DRAIN; tries++) {
        List<byte @Nullable []> records = tryGetAll(family, keys);
        if (records != null) {
          return records;
        }
      }
      drain();
    }
    return multiGet(point, family, keys);
  }

  /** The latest records, as of one moment; null if that did not work out. */
  private @Nullable List<byte @Nullable []> tryGetAll(ColumnFamily family, List<byte[]> keys) {
    WriteBuffer.View view = buffer.view();
    List<byte @Nullable []> records = new ArrayList<>(keys.size());
    List<byte[]> others = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      byte[] found = view.find(familyId(family), key, key.length);
      if (found == BufferPart.MERGED || found == BufferPart.LOST) {
        return null;
      }
      records.add(found);
      if (found == null) {
        others.add(key);
      }
    }
    List<byte @Nullable []> stored = List.of();
    if (others.isEmpty()) {
      check();
    } else {
      stored = multiGet(now, family, others);
    }
    if (others.size() == keys.size()) {
      return stored;
    }
    if (!view.isComplete()) {
      return null;
    }
    Iterator<byte @Nullable []> rest = stored.iterator();
    records.replaceAll(
        found -> found == null ? rest.next() : found == BufferPart.DELETED ? null : found);
    return records;
  }

  private List<byte @Nullable []> multiGet(
      ReadPoint point, ColumnFamily family, List<byte[]> keys) {
    try {
      return db().multiGetAsList(
              point.options, Collections.nCopies(keys.size(), handle(family)), keys);
    } catch (RocksDBException e) {
      throw failed(e, "read from");
    }
  }

  /**
   * Opens a scan over the keys from {@code lower}, included, to {@code upper}, excluded; see {@link
   * NativeScan}.
   */
  public NativeScan scan(
      ReadPoint point,
      ColumnFamily family,
      byte[] lower,
      byte[] upper,
      boolean withinOneGeneration,
      boolean forward) {
    if (point == now
        && (withinOneGeneration
            ? buffer.mayHoldGeneration(familyId(family), lower)
            : !buffer.isEmpty())) {
      drain();
    }
    RocksDB db = db(); // first: it may throw, and native objects created before would leak
    Slice lowerBound = new Slice(lower);
    Slice upperBound = new Slice(upper);
    ReadOptions options =
        point
            .newOptions()
            .setIterateLowerBound(lowerBound)
            .setIterateUpperBound(upperBound)
            .setTotalOrderSeek(!withinOneGeneration);
    NativeScan scan =
        new NativeScan(
            this,
            family,
            lower,
            upper,
            db.newIterator(handle(family), options),
            List.<AbstractNativeReference>of(options, lowerBound, upperBound),
            forward);
    opened.hold();
    return scan;
  }

  /** Where scans took long. */
  public LongScans longScans() {
    return longScans;
  }

  /** Records that a scan was closed. */
  void endScan() {
    opened.letGo();
  }

  /** Whether there is a record from {@code lower}, included, to {@code upper}, excluded. */
  public boolean hasRecords(ColumnFamily family, byte[] lower, byte[] upper) {
    try (NativeScan first = scan(now, family, lower, upper, false, true)) {
      return first.next();
    }
  }

  /** Its sizes and other properties. */
  public Measures measures() {
    return measures;
  }

  /** Sets the share of the files of large values, oldest first, that compactions rewrite. */
  void setBlobShare(ColumnFamily family, double share) {
    MutableColumnFamilyOptions options =
        MutableColumnFamilyOptions.builder().setBlobGarbageCollectionAgeCutoff(share).build();
    try {
      db().setOptions(handle(family), options);
    } catch (RocksDBException e) {
      throw failed(e, "prepare a compaction of");
    }
  }

  /** Deletes the files whose keys are all from {@code from}, included, to {@code to}, excluded. */
  void deleteFiles(ColumnFamily family, byte[] from, byte[] to) throws RocksDBException {
    db().deleteFilesInRanges(handle(family), List.of(from, to), false);
  }

  /**
   * Starts to flush the memtables, and waits for the end if wished. Does nothing while RocksDB has
   * stopped writes to catch up: it flushes by itself then.
   */
  public void flush(List<ColumnFamily> families, boolean waits) {
    drain();
    try (FlushOptions options = new FlushOptions().setWaitForFlush(waits)) {
      db().flush(options, families.stream().map(this::handle).toList());
    } catch (RocksDBException e) {
      if (!NativeFailures.isBusy(e)) {
        throw failed(e, "write files of");
      }
      LOG.debug("Not flushed now.", e);
    }
  }

  /**
   * Compacts the files that have keys from {@code from}, included, to {@code to}, excluded; null
   * for no bound.
   */
  public void compact(
      ColumnFamily family, byte @Nullable [] from, byte @Nullable [] to, CompactRangeOptions how)
      throws RocksDBException {
    if (damaged.isIn(family.name())) {
      LOG.debug("The files of {} are not compacted, because one is damaged.", family);
      return;
    }
    buffer.drain();
    db().compactRange(handle(family), from, to, how);
  }

  /**
   * Notes the files that an error is about. From the next {@link #reopen} on, their column families
   * are not compacted.
   */
  public List<DamagedTable> noteDamage(CorruptStoreException damage) {
    Set<String> named = new TreeSet<>();
    Matcher tables = TABLE.matcher(String.valueOf(damage.getMessage()));
    while (tables.find()) {
      named.add(tables.group());
    }
    return named.isEmpty() ? findDamage() : note(named, file -> named.contains(name(file)));
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  /** Like {@link #noteDamage}, if it is not known which files are damaged; reads all of them. */
  public List<DamagedTable> findDamage() {
    return note(Set.of(), file -> !isReadable(file));
  }

  private List<DamagedTable> note(Set<String> named, Predicate<Path> isDamaged) {
    List<DamagedTable> found = new ArrayList<>();
    for (String file : named) {
      if (file.endsWith(".blob")) { // only rows have large values, and it is not known whose
        found.add(new DamagedTable(ColumnFamily.ROWS, file, null));
      }
    }
    for (LiveFileMetaData live : db().getLiveFilesMetaData()) {
      String file = live.fileName().substring(1);
      if (isDamaged.test(Path.of(live.path(), file))) {
        found.add(new DamagedTable(family(live.columnFamilyName()), file, keys(live)));
      }
    }
    try {
      for (DamagedTable table : found) {
        boolean unused = damaged.add(table.family().name(), table.file());
        opened.setCompacting(table.family(), false);
      }
    } catch (IOException e) {
      throw StoreDirectory.refused("note a damaged file of", directory, e);
    } catch (RocksDBException e) {
      throw failed(e, "reopen");
    }
    return found;
  }

  private static KeyStretch keys(LiveFileMetaData table) {
    return new KeyStretch(table.smallestKey(), KeyStretch.after(table.largestKey()));
  }

  private boolean isReadable(Path file) {
    try {
      verifyChecksums(file);
      return true;
    } catch (CorruptStoreException e) {
      return false;
    }
  }

  private static ColumnFamily family(byte[] name) {
    return Arrays.stream(FAMILIES)
        .filter(family -> Arrays.equals(family.bytes(), name))
        .findAny()
        .orElseThrow();
  }

  /** The damaged files of the store, and what was lost with them. */
  public DamagedTables damagedTables() {
    return damaged;
  }

  /**
   * Makes sound copies of the damaged tables, as far as possible. The next {@link #reopen} puts
   * them in place. What is lost is noted before. For one thread, outside the {@link CloseGuard}.
   *
   * @param stops whether to give up
   * @return the tables that are ready now, also those that were ready before
   */
  public List<TableMend> prepareMends(BooleanSupplier stops) {
    damaged
        .setAside()
        .forEach(
            (file, family) -> {
              if (isMendable(file, family) && !stops.getAsBoolean()) {
                prepareMend(logs.files().resolve(file), stops);
              }
            });
    return List.copyOf(mends);
  }

  /** The catalog is not mended: what is older in it would contradict all other records. */
  private boolean isMendable(String file, String family) {
    return file.endsWith(".sst")
        && !family.equals(ColumnFamily.CATALOG.name())
        && !family.equals(ColumnFamily.DEFAULT.name())
        && !tried.contains(file);
  }

  private void prepareMend(Path table, BooleanSupplier stops) {
    String file = name(table);
    tried.add(file);
    try {
      TableMend mend = TableMend.prepare(table, stops);
      if (mend != null) {
        damaged.addLost(lost(mend));
        mends.add(mend);
      }
    } catch (IOException e) {
      LOG.warn("The damaged file {} of the store at {} stays as it is.", file, directory, e);
    }
  }

  /** What a mended table lacks of the records of names. */
  private List<DamagedTables.Lost> lost(TableMend mend) {
    TableCondition condition = mend.condition();
    ColumnFamily family = Objects.requireNonNull(condition.family());
    List<DamagedTables.Lost> lost = new ArrayList<>();
    if (family != ColumnFamily.EXPIRIES) { // a hint, which verify misses by itself
      KeyStretch all =
          db().getLiveFilesMetaData().stream()
              .filter(live -> live.fileName().endsWith(mend.file()))
              .map(Database::keys)
              .findAny()
              .orElse(new KeyStretch(new byte[0], null));
      for (KeyStretch stretch : condition.damaged()) {
        KeyStretch keys = stretch.within(all);
        long records = lost.isEmpty() ? condition.lost() : 0;
        lost.add(
            new DamagedTables.Lost(family.name(), mend.file(), records, keys.from(), keys.to()));
      }
    }
    return lost;
  }

  /** Puts the mended tables in place of the damaged ones. It is closed. */
  private void completeMends() throws RocksDBException {
    try {
      for (TableMend mend : mends) {
        mend.complete();
        damaged.setMended(mend.file());
        ColumnFamily family = Objects.requireNonNull(mend.condition().family());
        opened.setCompacting(family, !hasDamaged(family));
      }
      opened.setOptions(tuning.database(false, null, damaged.hasMended()));
      mends.clear();
    } catch (IOException e) {
      throw StoreDirectory.refused("mend a file of", directory, e);
    }
  }

  /** Compacts what had a damaged file that is gone; returns whether there was such a file. */
  public boolean forgetGoneTables() {
    Set<String> files = files();
    List<ColumnFamily> before = Arrays.stream(FAMILIES).filter(this::hasDamaged).toList();
    try {
      boolean any = damaged.retain(files);
      for (ColumnFamily family : before) {
        if (!hasDamaged(family)) {
          opened.setCompacting(family, true);
        }
      }
      return any;
    } catch (IOException e) {
      throw StoreDirectory.refused("forget a damaged file of", directory, e);
    } catch (RocksDBException e) {
      throw failed(e, "compact");
    }
  }

  /** Forgets lost records that concern no name any longer. */
  public void forgetLost(Predicate<DamagedTables.Lost> isOver) {
    try {
      damaged.forgetLost(isOver);
    } catch (IOException e) {
      throw StoreDirectory.refused("forget lost records of", directory, e);
    }
  }

  private boolean hasDamaged(ColumnFamily family) {
    return damaged.isIn(family.name());
  }

  /** The names of the database's current files, without its logs. */
  public Set<String> files() {
    try {
      Set<String> names = new TreeSet<>();
      // RocksDB's names begin with a '/'.
      db().getLiveFiles(false).files.forEach(file -> names.add(file.substring(1)));
      return names;
    } catch (RocksDBException e) {
      throw failed(e, "list the files of");
    }
  }

  /** Checks every block of a file of sorted records against its checksum. */
  public void verifyChecksums(Path file) {
    try (Options options = new Options();
        SstFileReader reader = new SstFileReader(options)) {
      reader.open(file.toString());
      reader.verifyChecksum();
    } catch (RocksDBException e) {
      throw failed(e, "verify");
    }
  }

  /**
   * The latest record at a key if RocksDB does not have it yet, {@link BufferPart#DELETED}, or
   * null: then RocksDB is to be read.
   */
  private byte @Nullable [] buffered(
      ReadPoint point, ColumnFamily family, byte[] key, int keyLength) {
    if (point != now) {
      return null;
    }
    byte[] found;
    try {
      found = buffer.find(familyId(family), key, keyLength);
    } catch (RocksDBException e) {
      awaitMended(e, 1);
      drain();
      return null;
    }
    if (found != null) {
      check();
    }
    return found;
  }

  /** Copies as much of a buffered record as fits; returns its length, or {@link #NOT_FOUND}. */
  private static int copy(byte[] buffered, byte[] target) {
    if (buffered == BufferPart.DELETED) {
      return NOT_FOUND;
    }
    System.arraycopy(buffered, 0, target, 0, Math.min(buffered.length, target.length));
    return buffered.length;
  }

  private void drain() {
    RocksDBException error = tryDrain();
    for (int tries = 1; error != null; tries++) {
      awaitMended(error, tries);
      error = tryDrain();
    }
  }

  private @Nullable RocksDBException tryDrain() {
    try {
      buffer.drain();
      return null;
    } catch (RocksDBException e) {
      return e;
    }
  }

  /** Waits until a drain can be repeated, or throws: see {@link WriteGate#awaitMended}. */
  private void awaitMended(RocksDBException e, int tries) {
    RockpoolException error = failed(e, "write to");
    WriteGate waiting = gate;
    if (waiting == null
        || tries == WritePath.MAX_TRIES
        || !(error instanceof CorruptStoreException)) {
      throw error;
    }
    waiting.awaitMended(waiting.failed(e, "write to"));
  }

  /** Sets what lets calls wait that meet a damaged file. */
  void watch(WriteGate gate) {
    this.gate = gate;
  }

  int familyId(ColumnFamily family) {
    return familyIds[family.index()];
  }

  /** Counts what is written. */
  DiskToll toll() {
    return toll;
  }

  /** The newest changes. */
  WriteBuffer buffer() {
    return buffer;
  }

  /** Writes the buffered changes to RocksDB. */
  private final class BufferTarget implements WriteTarget {
    @Override
    public void write(byte[] batch, boolean sync, boolean mayWait) throws RocksDBException {
      try (WriteBatch changes = new WriteBatch(batch)) {
        db().write(sync ? syncWrites : mayWait ? writes : impatientWrites, changes);
      }
      toll.wrote(batch.length);
    }

    @Override
    public long latestSequence() {
      return db().getLatestSequenceNumber();
    }

    @Override
    public void sync() throws RocksDBException {
      syncWal();
    }
  }

  /** The write-ahead log, for access without RocksDB. */
  public LogFiles logs() {
    return logs;
  }

  /** The native database, which can be closed and reopened. */
  public NativeDatabase opened() {
    return opened;
  }

  void syncWal() throws RocksDBException {
    db().syncWal();
  }

  /**
   * Flushes the memtables if the log is long, so that the next open need not read it. A failure is
   * only logged.
   */
  public void shortenLog() {
    try (FlushOptions flush = new FlushOptions()) {
      long bytes = db().getSortedWalFiles().stream().mapToLong(LogFile::sizeFileBytes).sum();
      if (bytes > MAX_LOG_BYTES_AFTER_CLOSE) {
        db().flush(flush, opened.handles());
      }
    } catch (RocksDBException e) {
      LOG.warn("{}", failed(e, "shorten the log of").getMessage());
    }
  }

  /** The sequence number of the last change; each change of a record takes one. */
  public long latestSequence() {
    return buffer.lastSequence();
  }

  /**
   * Closes the native database, puts mended tables in place, reopens it, see {@link
   * NativeDatabase#reopen}, and writes what the closed one did not take. Returns the sequence
   * number of the last change of the reopened one.
   */
  public long reopen() {
    try {
      if (!mends.isEmpty()) {
        opened.closeOnce();
        completeMends();
      }
      opened.reopen();
      buffer.drainReopened();
    } catch (RocksDBException e) {
      throw failed(e, "write to");
    }
    return db().getLatestSequenceNumber();
  }

  /** The exception for a malformed record of a space. */
  public CorruptStoreException corrupt(String space, byte[] key, CorruptStoreException e) {
    return NativeFailures.corrupt(directory, space, key, e);
  }

  /** The exception for {@code e}, thrown by {@code action} ("read from"). */
  RockpoolException failed(RocksDBException e, String action) {
    return NativeFailures.of(e, action, directory);
  }

  /** The native database itself, with all changes, for tests that provoke failures. */
  public RocksDB nativeDatabase() {
    drain();
    return db();
  }

  /**
   * Closes every native handle. No thread may be inside the guard, and all scans must be closed.
   */
  @Override
  public void close() {
    try {
      if (opened.isOpen()) {
        buffer.noteRefused();
      }
      opened.close();
    } catch (RocksDBException e) {
      throw failed(e, "close");
    } finally {
      buffer.close();
      impatientWrites.close();
      syncWrites.close();
      writes.close();
      now.close();
      tuning.close();
    }
  }

  public ColumnFamilyHandle handle(ColumnFamily family) {
    return opened.handle(family);
  }

  private RocksDB db() {
    return opened.db();
  }
}
