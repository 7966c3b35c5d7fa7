package io.rockpool.engine;

import static io.rockpool.engine.EngineUnderTest.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.store.Durability;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Nulls are refused by name, and change nothing. */
@NullUnmarked
interface NullContract extends EngineUnderTest {
  private static void assertRefused(String name, Runnable operation) {
    assertThatThrownBy(operation::run)
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining(name);
  }

  @Test
  default void anEngineRefusesNulls() {
    Engine engine = engine();
    rowOf("a");
    assertRefused("spec", () -> engine.create(null));
    assertRefused("spec", () -> engine.reset(null));
    assertRefused("name", () -> engine.open(null));
    assertRefused("name", () -> engine.describe(null));
    assertRefused("name", () -> engine.drop(null));
    assertRefused("name", () -> engine.setAttributes(null, Map.of()));
    assertRefused("attributes", () -> engine.setAttributes("rows", null));
    assertRefused("level", () -> engine.list(null));
    assertRefused("level", () -> engine.dropAll(null));
    assertRefused("capability", () -> engine.require(null));
    assertRefused("durability", () -> engine.withDurability(null, () -> rowOf("b")));
    assertRefused("writes", () -> engine.withDurability(Durability.SYNC, (Supplier<String>) null));
    assertRefused("writes", () -> engine.runWithDurability(Durability.SYNC, (Runnable) null));
    assertRefused("name", () -> new SpaceSpec(null, Layout.ROWS, Map.of()));
    assertRefused("layout", () -> new SpaceSpec("a", null, Map.of()));
    assertRefused("attributes", () -> new SpaceSpec("a", Layout.ROWS, null));
    assertThat(scanAll(rows())).containsExactly("row/a=v");
  }

  @Test
  default void aSpaceRefusesNulls() {
    Space space = rowOf("a");
    byte[] key = bytes("a");
    RecordReader<String> reader = (bytes, offset, length, expiry) -> "read";
    assertRefused("hashKey", () -> space.get(null, key));
    assertRefused("sortKey", () -> space.get(key, null));
    assertRefused("hashKey", () -> space.get(null, key, reader));
    assertRefused("sortKey", () -> space.get(key, null, reader));
    assertRefused("reader", () -> space.get(key, key, null));
    assertRefused("keys", () -> space.getAll(null));
    assertRefused("key", () -> space.getAll(Collections.singletonList(null)));
    assertRefused("hashKey", () -> space.put(null, key, key, Expiry.NEVER));
    assertRefused("sortKey", () -> space.put(key, null, key, Expiry.NEVER));
    assertRefused("value", () -> space.put(key, key, null, Expiry.NEVER));
    assertRefused("hashKey", () -> space.delete(null, key));
    assertRefused("sortKey", () -> space.delete(key, null));
    assertRefused("records", () -> space.putAll(null));
    assertRefused("record", () -> space.putAll(Collections.singletonList(null)));
    assertRefused("keys", () -> space.deleteAll(null));
    assertRefused("key", () -> space.deleteAll(Collections.singletonList(null)));
    assertRefused("hashKey", () -> space.transact(null, row -> "ran"));
    assertRefused("transaction", () -> space.transact(key, null));
    assertRefused("hashKey", () -> space.count(null));
    SortRange all = SortRange.all();
    assertRefused("hashKey", () -> space.scan(null, all, Direction.FORWARD, 1));
    assertRefused("range", () -> space.scan(key, null, Direction.FORWARD, 1));
    assertRefused("direction", () -> space.scan(key, all, null, 1));
    assertRefused("durability", () -> space.withDurability(null));
    assertThat(scanAll(space)).containsExactly("row/a=v");
  }

  @Test
  default void aTransactionRefusesNulls() {
    Space space = rowOf("a");
    byte[] key = bytes("a");
    SortRange all = SortRange.all();
    Map<String, RowChange> changes =
        Map.of(
            "sortKey of get", row -> row.get(null),
            "sortKey of isUnchanged", row -> row.isUnchanged(null, null),
            "sortKey of put", row -> row.put(null, key, Expiry.NEVER),
            "value of put", row -> row.put(key, null, Expiry.NEVER),
            "sortKey of putCounted", row -> row.putCounted(null, key, Expiry.NEVER),
            "value of putCounted", row -> row.putCounted(key, null, Expiry.NEVER),
            "sortKey of delete", row -> row.delete(null),
            "range of scan", row -> row.scan(null, Direction.FORWARD, 1),
            "direction of scan", row -> row.scan(all, null, 1));
    changes.forEach(
        (what, change) ->
            assertRefused(what.substring(0, what.indexOf(' ')), () -> change(space, ROW, change)));
    assertThat(scanAll(space)).containsExactly("row/a=v");
  }

  @Test
  default void recordsKeysAndRangesRefuseNulls() {
    byte[] key = bytes("a");
    SortRange all = SortRange.all();
    assertRefused("hashKey", () -> new RowRecord(null, key, key, Expiry.NEVER));
    assertRefused("sortKey", () -> new RowRecord(key, null, key, Expiry.NEVER));
    assertRefused("value", () -> new RowRecord(key, key, null, Expiry.NEVER));
    assertRefused("hashKey", () -> new RecordKey(null, key));
    assertRefused("sortKey", () -> new RecordKey(key, null));
    assertRefused("prefix", () -> SortRange.prefix(null));
    assertRefused("sortKey", () -> all.from(null, true));
    assertRefused("sortKey", () -> all.to(null, false));
    assertRefused("sortKey", () -> Objects.requireNonNull(all).contains(null));
  }
}
