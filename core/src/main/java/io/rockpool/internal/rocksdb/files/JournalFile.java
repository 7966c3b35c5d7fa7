package io.rockpool.internal.rocksdb.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * The file with the acknowledged changes that RocksDB's log may not have yet. It is mapped: what is
 * in it survives the death of the process without a system call. It has two halves, which are
 * filled in turn. A half holds frames, in the order of their sequence numbers:
 *
 * <pre>
 * length     4 bytes, little-endian: of sequence, count and changes; 0 ends the half
 * checksum   4 bytes, little-endian: CRC-32C of sequence, count and changes
 * sequence   8 bytes, little-endian: of the first change
 * count      4 bytes, little-endian: the number of changes, each of which has its own sequence
 * changes    in the format of RocksDB's batches
 * </pre>
 *
 * <p>Opening a store fills the file with zeros and forces that to disk. So the file system has
 * reserved its blocks, and no frame of an earlier use can ever follow a frame of this one.
 */
public final class JournalFile implements AutoCloseable {
  /** The most bytes of a frame besides its changes, and of the end of a half. */
  public static final int FRAME_BYTES = 3 * Integer.BYTES + Long.BYTES + Integer.BYTES;

  private static final int CHECKSUM_OFFSET = Integer.BYTES;
  private static final int SEQUENCE_OFFSET = 2 * Integer.BYTES;
  private static final int COUNT_OFFSET = SEQUENCE_OFFSET + Long.BYTES;
  private static final int CHANGES_OFFSET = COUNT_OFFSET + Integer.BYTES;
  private static final int COVERED_BEFORE_CHANGES = CHANGES_OFFSET - SEQUENCE_OFFSET;

  private final Mapping mapping;
  private final MappedByteBuffer bytes;
  private final Half first;
  private final Half second;

  /**
   * Some changes in RocksDB's format.
   *
   * @param sequence the sequence number of the first change
   * @param count the number of changes
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Frame(long sequence, int count, byte[] changes) {}

  private JournalFile(Mapping mapping) {
    this.mapping = mapping;
    this.bytes = mapping.bytes();
    int half = bytes.capacity() / 2;
    this.first = new Half(bytes.slice(0, half).order(ByteOrder.LITTLE_ENDIAN));
    this.second = new Half(bytes.slice(half, half).order(ByteOrder.LITTLE_ENDIAN));
  }

  /** The journal of the store in {@code directory}. */
  public static Path path(Path directory) {
    return directory.resolve(StoreDirectory.JOURNAL);
  }

  /** Creates or empties the journal of a store. Durable on return. */
  public static JournalFile create(Path directory, int halfBytes) {
    Mapping[] mapped = new Mapping[1];
    try {
      boolean isNew = Files.notExists(path(directory));
      Uninterrupted.run(() -> mapped[0] = map(path(directory), 2 * halfBytes));
      if (isNew) {
        DurableFiles.forceDirectory(directory);
      }
      return new JournalFile(mapped[0]);
    } catch (IOException e) {
      throw StoreDirectory.refused("create the journal of", directory, e);
    }
  }

  private static Mapping map(Path file, int length) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
            FileModes.file(file))) {
      ByteBuffer zeros = ByteBuffer.allocate(length);
      while (zeros.hasRemaining()) {
        channel.write(zeros, zeros.position());
      }
      channel.truncate(length);
      channel.force(true);
      return Mapping.of(channel, length);
    }
  }

  /** The frames that an earlier use left, by sequence; none if there is no journal. */
  public static List<Frame> read(Path directory) {
    Path file = path(directory);
    try {
      List<Frame> frames = new ArrayList<>();
      if (Files.exists(file)) {
        ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(file));
        int half = all.capacity() / 2;
        List<Frame> later = readHalf(all.slice(0, half));
        frames.addAll(readHalf(all.slice(half, half)));
        boolean swapped =
            frames.isEmpty()
                || (!later.isEmpty() && later.get(0).sequence() < frames.get(0).sequence());
        frames.addAll(swapped ? 0 : frames.size(), later);
      }
      return frames;
    } catch (IOException e) {
      throw StoreDirectory.refused("read the journal of", directory, e);
    }
  }

  private static List<Frame> readHalf(ByteBuffer half) {
    half.order(ByteOrder.LITTLE_ENDIAN);
    List<Frame> frames = new ArrayList<>();
    int at = 0;
    long next = 0;
    while (half.capacity() - at >= CHANGES_OFFSET) {
      int length = half.getInt(at);
      if (length <= COVERED_BEFORE_CHANGES || length > half.capacity() - at - SEQUENCE_OFFSET) {
        return frames;
      }
      CRC32C checksum = new CRC32C();
      checksum.update(half.slice(at + SEQUENCE_OFFSET, length));
      long sequence = half.getLong(at + SEQUENCE_OFFSET);
      if ((int) checksum.getValue() != half.getInt(at + CHECKSUM_OFFSET)
          || (!frames.isEmpty() && sequence != next)) {
        return frames;
      }
      byte[] changes = new byte[length - COVERED_BEFORE_CHANGES];
      half.get(at + CHANGES_OFFSET, changes);
      Frame frame = new Frame(sequence, half.getInt(at + COUNT_OFFSET), changes);
      frames.add(frame);
      next = sequence + frame.count();
      at += SEQUENCE_OFFSET + length;
    }
    return frames;
  }

  /** The half that is filled first. */
  public Half first() {
    return first;
  }

  /** The half that is filled second. */
  public Half second() {
    return second;
  }

  /**
   * Forces the journal to disk.
   *
   * @throws IOException if the content may not be on disk; calling again cannot find out
   */
  public void force() throws IOException {
    try {
      bytes.force();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * Unmaps the file: until then its file system cannot be unmounted. The halves must not be used
   * any longer, nor by a call that still runs: before JDK 22, that would end the process.
   */
  @Override
  public void close() {
    mapping.close();
  }

  /** One half of the journal. Not thread-safe. */
  public static final class Half {
    private final ByteBuffer bytes;
    private final CRC32C checksum = new CRC32C();
    private final byte[] header = new byte[COVERED_BEFORE_CHANGES];
    private final ByteBuffer headerView = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
    private int end;

    private Half(ByteBuffer bytes) {
      this.bytes = bytes;
    }

    /** Whether a frame with this many bytes of changes fits. */
    public boolean hasRoom(int changesBytes) {
      return bytes.capacity() - end >= changesBytes + FRAME_BYTES;
    }

    /**
     * Appends a frame, for which there must be room. Its length is written last, so an incomplete
     * frame is none.
     */
    public void append(long sequence, int count, byte[] changes, int from, int length) {
      headerView.putLong(0, sequence).putInt(Long.BYTES, count);
      checksum.reset();
      checksum.update(header, 0, header.length);
      checksum.update(changes, from, length);
      int next = end + CHANGES_OFFSET + length;
      bytes.putInt(next, 0);
      bytes.put(end + SEQUENCE_OFFSET, header);
      bytes.put(end + CHANGES_OFFSET, changes, from, length);
      bytes.putInt(end + CHECKSUM_OFFSET, (int) checksum.getValue());
      bytes.putInt(end, COVERED_BEFORE_CHANGES + length);
      end = next;
    }

    /** Removes all frames. */
    public void clear() {
      end = 0;
      bytes.putInt(0, 0);
    }
  }
}
