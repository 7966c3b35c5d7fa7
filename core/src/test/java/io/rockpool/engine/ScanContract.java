package io.rockpool.engine;

import static io.rockpool.engine.EngineUnderTest.bytes;
import static io.rockpool.engine.EngineUnderTest.prefix;
import static io.rockpool.engine.EngineUnderTest.range;
import static io.rockpool.engine.EngineUnderTest.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Scans that nothing disturbs: their order, their ends, their limits. */
interface ScanContract extends EngineUnderTest {
  private List<String> forward(SortRange range) {
    return scan(rows(), ROW, range, Direction.FORWARD, Integer.MAX_VALUE);
  }

  private List<String> backward(SortRange range) {
    return scan(rows(), ROW, range, Direction.BACKWARD, Integer.MAX_VALUE);
  }

  private void assertBothWays(SortRange range, String... expected) {
    assertThat(forward(range)).containsExactly(expected);
    List<String> reversed = new ArrayList<>(List.of(expected));
    Collections.reverse(reversed);
    assertThat(backward(range)).containsExactlyElementsOf(reversed);
  }

  @Test
  default void sortKeysAreUnsignedBytes() {
    rowOf("\377", "\0", "\200", "a", "", "\177", "a\0", "\377\377", "aa", "\0\0", "a\377");
    assertBothWays(
        SortRange.all(),
        "",
        "\0",
        "\0\0",
        "a",
        "a\0",
        "aa",
        "a\377",
        "\177",
        "\200",
        "\377",
        "\377\377");
  }

  private static List<String> keys(Row.Page page) {
    return page.records().stream().map(record -> text(record.sortKey())).toList();
  }

  @Test
  default void aPageEndsAfterTheRecordThatFillsIt() {
    String kilobyte = "x".repeat(1_024);
    for (String key : List.of("a", "b", "c", "d", "e", "f")) {
      put(rows(), ROW, key, kilobyte);
    }
    change(
        rows(),
        ROW,
        row -> {
          SortRange all = SortRange.all();
          Row.Page page = row.page(all, Direction.FORWARD, 9, 2_500);
          assertThat(keys(page)).containsExactly("a", "b", "c");
          assertThat(page.isLast()).isFalse();
          page = row.page(all.to(bytes("d"), false), Direction.BACKWARD, 9, 1_500);
          assertThat(keys(page)).containsExactly("c", "b");
          assertThat(page.isLast()).isFalse();
          page = row.page(all, Direction.FORWARD, 2, 1 << 20);
          assertThat(keys(page)).containsExactly("a", "b");
          assertThat(page.isLast()).isFalse();
          page = row.page(all, Direction.FORWARD, 9, 1 << 20);
          assertThat(keys(page)).containsExactly("a", "b", "c", "d", "e", "f");
          assertThat(page.isLast()).isTrue();
          assertThat(keys(row.page(all, Direction.FORWARD, 9, 1))).containsExactly("a");
          assertThat(keys(row.page(all, Direction.FORWARD, 1, 1 << 20))).containsExactly("a");
          assertThat(row.page(all, Direction.FORWARD, 0, 1 << 20).records()).isEmpty();
          page = row.page(range("x", "z"), Direction.FORWARD, 9, 1);
          assertThat(page).isEqualTo(new Row.Page(List.of(), true));
        });
  }

  @Test
  default void pagesHaveTheTransactionsOwnChanges() {
    String kilobyte = "x".repeat(1_024);
    for (String key : List.of("a", "b", "c", "d", "e", "f")) {
      put(rows(), ROW, key, kilobyte);
    }
    change(
        rows(),
        ROW,
        row -> {
          row.delete(bytes("a"));
          row.delete(bytes("b"));
          row.put(bytes("bb"), bytes("1"), Expiry.NEVER);
          row.put(bytes("e"), bytes("2"), Expiry.NEVER);
          row.put(bytes("z"), bytes("3"), Expiry.NEVER);
          for (Direction direction : Direction.values()) {
            for (long maxBytes : new long[] {1, 1_500, 2_500, 1 << 20}) {
              for (int limit : new int[] {1, 2, 3, 9}) {
                List<String> walked = walked(row, direction, limit, maxBytes);
                if (direction == Direction.BACKWARD) {
                  Collections.reverse(walked);
                }
                assertThat(walked).containsExactly("bb", "c", "d", "e", "f", "z");
              }
            }
          }
        });
  }

  private static List<String> walked(Row row, Direction direction, int limit, long maxBytes) {
    List<String> walked = new ArrayList<>();
    SortRange left = SortRange.all();
    boolean ended = false;
    while (!ended) {
      Row.Page page = row.page(left, direction, limit, maxBytes);
      List<String> keys = keys(page);
      assertThat(keys).hasSizeLessThanOrEqualTo(limit);
      assertThat(page.isLast() || !keys.isEmpty()).isTrue();
      walked.addAll(keys);
      ended = page.isLast();
      if (!ended) {
        byte[] last = bytes(keys.get(keys.size() - 1));
        left = direction == Direction.FORWARD ? left.from(last, false) : left.to(last, false);
      }
    }
    return walked;
  }

  @Test
  default void boundsAreIncludedOrNot() {
    rowOf("a", "b", "c", "d");
    SortRange all = SortRange.all();
    assertBothWays(all.from(bytes("b"), true), "b", "c", "d");
    assertBothWays(all.from(bytes("b"), false), "c", "d");
    assertBothWays(all.to(bytes("c"), true), "a", "b", "c");
    assertBothWays(all.to(bytes("c"), false), "a", "b");
    assertBothWays(all.from(bytes("b"), true).to(bytes("b"), true), "b");
    assertBothWays(all.from(bytes("a"), false).to(bytes("d"), false), "b", "c");
    assertBothWays(all.from(bytes("aa"), true).to(bytes("cc"), true), "b", "c");
  }

  @Test
  default void boundsMayHaveTheLowestAndHighestBytes() {
    rowOf("", "\0", "\0\0", "\0\377", "\1", "\376\377", "\377", "\377\0", "\377\377");
    SortRange all = SortRange.all();
    assertBothWays(all.to(bytes(""), true), "");
    assertBothWays(all.to(bytes(""), false));
    assertBothWays(all.from(bytes(""), false).to(bytes("\0"), true), "\0");
    assertBothWays(all.from(bytes("\0"), false).to(bytes("\1"), false), "\0\0", "\0\377");
    assertBothWays(all.from(bytes("\377"), true), "\377", "\377\0", "\377\377");
    assertBothWays(all.from(bytes("\377"), false), "\377\0", "\377\377");
    assertBothWays(all.from(bytes("\377\377"), true), "\377\377");
    assertBothWays(all.from(bytes("\377\377"), false));
    assertBothWays(all.from(bytes("\377\377\377"), true));
    assertBothWays(all.from(bytes("\376"), true).to(bytes("\377"), true), "\376\377", "\377");
  }

  @Test
  default void prefixes() {
    rowOf("a", "ab", "ab\0", "ab\377", "ac", "b", "\377", "\377\377", "\377\377\1");
    assertBothWays(prefix("ab"), "ab", "ab\0", "ab\377");
    assertBothWays(prefix("a"), "a", "ab", "ab\0", "ab\377", "ac");
    assertBothWays(prefix("\377\377"), "\377\377", "\377\377\1");
    assertBothWays(prefix("\377"), "\377", "\377\377", "\377\377\1");
    assertBothWays(prefix("abc"));
    assertBothWays(prefix("").to(bytes("ab"), false), "a");
    assertBothWays(prefix("ab").from(bytes("ab"), false), "ab\0", "ab\377");
  }

  @Test
  default void emptyRangesShowNothing() {
    rowOf("a", "b", "c");
    assertBothWays(range("b", "b"));
    assertBothWays(range("c", "a"));
    assertBothWays(SortRange.all().from(bytes("b"), false).to(bytes("b"), true));
    assertBothWays(range("aa", "ab"));
    assertBothWays(range("x", "y"));
  }

  @Test
  default void anAbsentRowShowsNothing() {
    put(rows(), "before", "a", "v");
    put(rows(), "zafter", "a", "v");
    assertBothWays(SortRange.all());
    assertBothWays(range("a", "b"));
  }

  @Test
  default void aScanStaysInItsRow() {
    for (String hashKey : List.of("", "\0", "r", "ro", "row", "row\0", "rowa", "row\377", "rox")) {
      put(rows(), hashKey, "in" + hashKey, "v");
    }
    assertBothWays(SortRange.all(), "inrow");
    assertThat(scan(rows(), "")).containsExactly("in");
    assertThat(scan(rows(), "", SortRange.all(), Direction.BACKWARD, 9)).containsExactly("in");
    assertThat(scan(rows(), "row\377", SortRange.all(), Direction.BACKWARD, 9))
        .containsExactly("inrow\377");
  }

  @Test
  default void limits() {
    rowOf("a", "b", "c");
    for (int limit = 0; limit <= 4; limit++) {
      assertThat(scan(rows(), ROW, SortRange.all(), Direction.FORWARD, limit))
          .containsExactlyElementsOf(List.of("a", "b", "c").subList(0, Math.min(limit, 3)));
      assertThat(scan(rows(), ROW, SortRange.all(), Direction.BACKWARD, limit))
          .containsExactlyElementsOf(List.of("c", "b", "a").subList(0, Math.min(limit, 3)));
    }
    assertThatThrownBy(() -> rows().scan(bytes(ROW), SortRange.all(), Direction.FORWARD, -1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  default void pagesContinueWhereTheLastOneEnded() {
    Random random = new Random(3);
    TreeSet<String> sortKeys = new TreeSet<>();
    while (sortKeys.size() < 100) {
      byte[] sortKey = new byte[random.nextInt(4)];
      for (int i = 0; i < sortKey.length; i++) {
        sortKey[i] = (byte) (random.nextInt(5) - 2);
      }
      sortKeys.add(text(sortKey));
    }
    rows().putAll(sortKeys.stream().map(key -> EngineUnderTest.record(ROW, key, "v")).toList());

    for (int page : new int[] {1, 2, 7, 99, 100, 101}) {
      assertThat(paged(Direction.FORWARD, page)).containsExactlyElementsOf(sortKeys);
      assertThat(paged(Direction.BACKWARD, page))
          .containsExactlyElementsOf(sortKeys.descendingSet());
    }
  }

  private List<String> paged(Direction direction, int page) {
    List<String> all = new ArrayList<>();
    SortRange rest = SortRange.all();
    while (true) {
      List<String> found = scan(rows(), ROW, rest, direction, page);
      if (found.isEmpty()) {
        return all;
      }
      all.addAll(found);
      byte[] last = bytes(found.get(found.size() - 1));
      rest = direction == Direction.FORWARD ? rest.from(last, false) : rest.to(last, false);
    }
  }

  @Test
  default void moreThanAPage() {
    int count = 3 * Limits.MAX_PAGE_RECORDS + 7;
    List<RowRecord> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      records.add(EngineUnderTest.record(ROW, String.format(Locale.ROOT, "%06d", i), "v"));
    }
    rows().putAll(records);
    put(rows(), "row\0", "x", "v");
    List<String> expected = records.stream().map(record -> text(record.sortKey())).toList();

    assertBothWays(SortRange.all(), expected.toArray(String[]::new));
    for (int limit :
        new int[] {
          Limits.MAX_PAGE_RECORDS - 1, Limits.MAX_PAGE_RECORDS, Limits.MAX_PAGE_RECORDS + 1
        }) {
      assertThat(scan(rows(), ROW, SortRange.all(), Direction.FORWARD, limit))
          .containsExactlyElementsOf(expected.subList(0, limit));
    }
    assertThat(scanAll(rows())).hasSize(count + 1).doesNotHaveDuplicates();
  }

  @Test
  default void scanAllShowsEachRowTogetherAndSorted() {
    Space space = rows();
    TreeSet<String> expected = new TreeSet<>();
    for (String hashKey : List.of("", "\0", "\1", "\1\0", "\1\0\0", "b", "\377")) {
      for (String sortKey : List.of("", "\0", "m", "\377")) {
        put(space, hashKey, sortKey, "v");
        expected.add(hashKey + "/" + sortKey + "=v");
      }
    }
    List<String> found = scanAll(space);
    assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
    for (int i = 0; i < found.size(); i += 4) {
      List<String> row = found.subList(i, i + 4);
      String hashKey = row.get(0).substring(0, row.get(0).indexOf('/'));
      assertThat(row)
          .containsExactly(
              hashKey + "/=v", hashKey + "/\0=v", hashKey + "/m=v", hashKey + "/\377=v");
    }
  }

  @Test
  default void aScanOfAllGoesOnAfterAnyRecordThereOrNot() {
    for (Space space : spaces()) {
      List<String> sortKeys =
          space.info().layout() == Layout.ROWS ? List.of("", "\0", "m", "\377") : List.of("");
      for (String hashKey : List.of("", "\0", "\1", "\1\0", "\1\0\0", "b", "\377", "\377\377")) {
        for (String sortKey : sortKeys) {
          put(space, hashKey, sortKey, "v");
        }
      }
      List<RecordKey> keys = keys(space);
      List<String> all = scanAll(space);
      for (int i = 0; i < keys.size(); i++) {
        List<String> rest = all.subList(i + 1, all.size());
        assertThat(scanAll(space, keys.get(i))).containsExactlyElementsOf(rest);
        space.delete(keys.get(i).hashKey(), keys.get(i).sortKey());
        assertThat(scanAll(space, keys.get(i))).containsExactlyElementsOf(rest);
      }
      assertThat(scanAll(space)).isEmpty();
      assertThat(scanAll(space, keys.get(0))).isEmpty();
    }
  }

  private static List<RecordKey> keys(Space space) {
    List<RecordKey> keys = new ArrayList<>();
    try (Cursor cursor = space.scanAll(null)) {
      while (cursor.next()) {
        keys.add(new RecordKey(cursor.hashKey(), cursor.sortKey()));
      }
    }
    return keys;
  }

  @Test
  default void aScanOfAllEndsWithAnyRecordThereOrNot() {
    for (Space space : spaces()) {
      List<String> sortKeys =
          space.info().layout() == Layout.ROWS ? List.of("", "\0", "m") : List.of("");
      for (String hashKey : List.of("", "\0", "\1\0", "b", "\377\377")) {
        for (String sortKey : sortKeys) {
          put(space, hashKey, sortKey, "v");
        }
      }
      List<RecordKey> keys = keys(space);
      List<String> all = scanAll(space);
      for (int to = keys.size() - 1; to >= 0; to--) {
        RecordKey upTo = keys.get(to);
        assertThat(scanAll(space, null, upTo)).isEqualTo(all.subList(0, to + 1));
        for (int after = 0; after < keys.size(); after++) {
          assertThat(scanAll(space, keys.get(after), upTo))
              .isEqualTo(all.subList(Math.min(after, to) + 1, to + 1));
        }
        space.delete(upTo.hashKey(), upTo.sortKey());
        assertThat(scanAll(space, null, upTo)).isEqualTo(all.subList(0, to));
      }
    }
  }

  @Test
  default void theSplitsDivideWhatAScanOfAllShows() {
    Random random = new Random(5);
    for (Space space : spaces()) {
      boolean hasRows = space.info().layout() == Layout.ROWS;
      assertThat(space.splits(4)).isEmpty();
      List<RowRecord> records = new ArrayList<>();
      for (int i = 0; i < 2_000; i++) {
        String hashKey = "row " + random.nextInt(hasRows ? 50 : 5_000);
        String sortKey = hasRows ? "key " + random.nextInt(500) : "";
        records.add(EngineUnderTest.record(hashKey, sortKey, "v".repeat(random.nextInt(100))));
      }
      space.putAll(records);
      for (int parts : new int[] {1, 2, 3, 16, 10_000}) {
        List<RecordKey> splits = space.splits(parts);
        assertThat(splits).hasSizeLessThan(parts);
        assertDivided(space, splits);
      }
      List<RecordKey> splits = space.splits(5);
      splits.forEach(split -> space.delete(split.hashKey(), split.sortKey()));
      assertDivided(space, splits);
      assertThatThrownBy(() -> space.splits(0)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  private void assertDivided(Space space, List<RecordKey> splits) {
    List<String> seen = new ArrayList<>();
    RecordKey after = null;
    for (RecordKey split : splits) {
      seen.addAll(scanAll(space, after, split));
      after = split;
    }
    seen.addAll(scanAll(space, after, null));
    assertThat(seen).isEqualTo(scanAll(space));
  }

  @Test
  default void aScanOfAllGoesOnWithinARow() {
    rowOf("a", "c");
    assertThat(scanAll(rows(), EngineUnderTest.key(ROW, "b"))).containsExactly("row/c=v");
    assertThat(scanAll(rows(), EngineUnderTest.key(ROW, "c"))).isEmpty();
  }

  @Test
  default void scansOfEntries() {
    Space space = entries();
    put(space, "", "", "0");
    put(space, "a", "", "1");
    put(space, "a\0", "", "2");
    put(space, "b", "", "3");
    assertThat(scanAll(space)).containsExactlyInAnyOrder("/=0", "a/=1", "a\0/=2", "b/=3");
    for (Direction direction : Direction.values()) {
      assertThat(scan(space, "a", SortRange.all(), direction, 9)).containsExactly("");
      assertThat(scan(space, "c", SortRange.all(), direction, 9)).isEmpty();
      assertThat(scan(space, "a", SortRange.all().from(bytes(""), false), direction, 9)).isEmpty();
    }
  }

  @Test
  default void scansOfAnEmptySpace() {
    assertThat(scanAll(rows())).isEmpty();
    assertThat(scanAll(entries())).isEmpty();
    assertThat(scan(rows(), ROW)).isEmpty();
  }
}
