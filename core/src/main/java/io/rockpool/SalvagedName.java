package io.rockpool;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.format.BucketFormat;
import io.rockpool.internal.format.DequeEnds;
import io.rockpool.internal.format.Descriptor;
import io.rockpool.internal.format.PositionFormat;
import io.rockpool.internal.format.ScoredSetFormat;
import io.rockpool.store.SalvageReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A name that is copied out of a damaged store. Counts and indexes are made again. A structure
 * whose records depend on each other is built of its elements.
 */
final class SalvagedName {
  private static final int BATCH = 500;
  private static final int MAX_BATCH_BYTES = 4 << 20;

  private final String name;
  private final Descriptor descriptor;
  private final List<RowRecord> pending = new ArrayList<>();
  private final List<Boolean> counted = new ArrayList<>();
  private @Nullable OpenStore store;
  private @Nullable Space space;
  private UnaryOperator<RowRecord> decryption = UnaryOperator.identity();
  private boolean sendsAgain;
  private DequeEnds ends = DequeEnds.NEW;
  private boolean hasElements;
  private long pendingBytes;
  private long records;

  SalvagedName(String name, Descriptor descriptor) {
    this.name = name;
    this.descriptor = descriptor;
  }

  String name() {
    return name;
  }

  Layout layout() {
    return descriptor.layout();
  }

  /** The attributes of the name in the damaged store, with those of its encryption. */
  Map<String, String> attributes() {
    return descriptor.attributes();
  }

  /** Sets what decrypts the records. */
  void decryptWith(UnaryOperator<RowRecord> function) {
    decryption = function;
  }

  private String type() {
    return descriptor.attributes().getOrDefault("type", "");
  }

  /**
   * Creates the name in the new store.
   *
   * @param mayLack whether records of it may be missing
   */
  void create(OpenStore target, boolean mayLack) {
    store = target;
    space = target.engine.create(new SpaceSpec(name, descriptor.layout(), descriptor.attributes()));
    sendsAgain = mayLack && (type().equals("queue") || type().equals("timer"));
  }

  /**
   * Adds a record.
   *
   * @throws CorruptStoreException if it cannot be decrypted
   */
  void add(RowRecord stored, boolean isCounted) {
    RowRecord record = decryption.apply(stored);
    records++;
    byte[] key = record.sortKey();
    if (type().equals("deque")) {
      if (key.length == 0) {
        return; // the ends
      }
      long position = PositionFormat.decode(key);
      ends =
          hasElements
              ? ends.with(position, record.expiryMillis())
              : new DequeEnds(position, position, 0, Expiry.NEVER)
                  .with(position, record.expiryMillis());
      hasElements = true;
    } else if (type().equals("scored set")
        && (key.length == 0 || key[0] != ScoredSetFormat.MEMBER)) {
      return; // made again
    }
    pending.add(record);
    counted.add(isCounted);
    pendingBytes += record.value().length + key.length;
    if (pending.size() == BATCH || pendingBytes > MAX_BATCH_BYTES) {
      write();
    }
  }

  private void write() {
    Space target = Objects.requireNonNull(space);
    OpenStore open = Objects.requireNonNull(store);
    if (type().equals("scored set")) {
      boolean ranked = Boolean.parseBoolean(descriptor.attributes().get("option.ranked"));
      open.structures.addMembers(target, ranked, pending);
    } else if (sendsAgain) {
      open.queues.sendAgain(target, pending);
    } else if (layout() == Layout.ENTRIES) {
      target.putAll(pending);
    } else {
      int from = 0;
      while (from < pending.size()) {
        byte[] row = pending.get(from).hashKey();
        int to = from;
        while (to < pending.size() && Arrays.equals(pending.get(to).hashKey(), row)) {
          to++;
        }
        putRow(target, row, from, to);
        from = to;
      }
    }
    pending.clear();
    counted.clear();
    pendingBytes = 0;
  }

  private void putRow(Space target, byte[] row, int from, int to) {
    target.transact(
        row,
        changed -> {
          for (int at = from; at < to; at++) {
            RowRecord record = pending.get(at);
            if (counted.get(at)) {
              changed.putCounted(record.sortKey(), record.value(), record.expiryMillis());
            } else {
              changed.put(record.sortKey(), record.value(), record.expiryMillis());
            }
          }
          return row;
        });
  }

  /** Writes what is left. */
  void end() {
    if (!pending.isEmpty()) {
      write();
    }
    Space target = Objects.requireNonNull(space);
    if (hasElements) {
      target.transact(
          BucketFormat.hashKey(0),
          row -> {
            row.put(new byte[0], ends.encode(), Expiry.NEVER);
            return ends;
          });
    }
    if (descriptor.expiryMillis() != Expiry.NEVER) {
      target.expireAt(descriptor.expiryMillis());
    }
  }

  SalvageReport.Name report() {
    return new SalvageReport.Name(name, type(), records);
  }
}
