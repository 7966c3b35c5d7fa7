package io.rockpool.engine;

import static io.rockpool.engine.EngineUnderTest.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.NameConflictException;
import io.rockpool.testing.Threads;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Spaces by name: created, opened, described, listed, dropped. */
interface CatalogContract extends EngineUnderTest {
  private void create(String... names) {
    for (String name : names) {
      engine().create(spec(name, layout()));
    }
  }

  private List<String> list(String level) {
    return engine().list(level).stream().map(SpaceInfo::name).toList();
  }

  private SpaceInfo describe(String name) {
    return Objects.requireNonNull(engine().describe(name), name);
  }

  @Test
  default void anEngineBeginsEmpty() {
    assertThat(engine().list("")).isEmpty();
    assertThat(engine().open("rows")).isNull();
    assertThat(engine().describe("rows")).isNull();
    assertThat(engine().drop("rows")).isFalse();
    assertThat(engine().dropAll("")).isZero();
  }

  @Test
  default void aSpaceIsWhatItWasCreatedAs() {
    Map<String, String> attributes = Map.of("type", "map", "key codec", "string", "", "\u20ac\n");
    for (Layout layout : Layout.values()) {
      if (layout == Layout.ROWS && layout() != layout) {
        continue;
      }
      String name = "shop/" + layout;
      Space space = engine().create(new SpaceSpec(name, layout, attributes));
      long now = clock().millis();
      assertThat(space.name()).isEqualTo(name);
      assertThat(space.info())
          .isEqualTo(new SpaceInfo(name, layout, attributes, now, now, 0, Expiry.NEVER));
      assertThat(describe(name)).isEqualTo(space.info());
    }
  }

  @Test
  default void nobodySeesThatItWasOpenedForUpkeep() {
    assertThat(upkeep().openForUpkeep("rows")).isNull();
    Space space = rowOf("a");
    SpaceInfo before = space.info();
    clock().advanceMillis(1);
    Space same = Objects.requireNonNull(upkeep().openForUpkeep("rows"));
    assertThat(scanAll(same)).isEqualTo(scanAll(space)).hasSize(1);
    assertThat(describe("rows")).isEqualTo(before);
    engine().drop("rows");
    assertThat(upkeep().openForUpkeep("rows")).isNull();
    assertThatThrownBy(() -> scanAll(same)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  default void aTakenNameIsRefused() {
    Space space = rowOf("a");
    clock().advanceMillis(1);
    for (Layout layout : Layout.values()) {
      assertThatThrownBy(() -> engine().create(spec("rows", layout)))
          .isInstanceOf(NameConflictException.class)
          .hasMessageContaining("rows");
    }
    assertThat(scanAll(space)).containsExactly("row/a=v");
    assertThat(space.info().createdMillis()).isEqualTo(clock().millis() - 1);
  }

  @Test
  default void openNotesTheTime() {
    long created = clock().millis();
    create("a");
    clock().advanceMillis(10);
    assertThat(describe("a").openedMillis()).isEqualTo(created);
    Space space = Objects.requireNonNull(engine().open("a"));
    clock().advanceMillis(10);
    assertThat(space.info().openedMillis()).isEqualTo(created + 10);
    assertThat(describe("a").openedMillis()).isEqualTo(created + 10);
    assertThat(describe("a").createdMillis()).isEqualTo(created);
  }

  @Test
  default void attributesAreReplaced() {
    Space space = engine().create(new SpaceSpec("a", layout(), Map.of("x", "1", "y", "2")));
    Map<String, String> attributes = new HashMap<>(Map.of("y", "3"));
    SpaceInfo before = describe("a");
    engine().setAttributes("a", attributes);
    attributes.put("later", "no");

    assertThat(space.info().attributes()).isEqualTo(Map.of("y", "3"));
    assertThat(describe("a"))
        .isEqualTo(
            new SpaceInfo(
                "a",
                layout(),
                Map.of("y", "3"),
                before.createdMillis(),
                before.openedMillis(),
                before.resets(),
                Expiry.NEVER));
    engine().setAttributes("a", Map.of());
    assertThat(describe("a").attributes()).isEmpty();
    assertThatThrownBy(() -> engine().setAttributes("nothing", Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nothing");
  }

  @Test
  default void aListIsSortedAndGoesByLevels() {
    create("shop", "shopping", "shop/orders/by-day", "shop/orders", "shop-a", "other", "shop/o");
    assertThat(list("")).hasSize(7).isSorted();
    assertThat(list("shop")).containsExactly("shop", "shop/o", "shop/orders", "shop/orders/by-day");
    assertThat(list("shop/orders")).containsExactly("shop/orders", "shop/orders/by-day");
    assertThat(list("shop/orders/by-day")).containsExactly("shop/orders/by-day");
    assertThat(list("sho")).isEmpty();
    assertThat(list("orders")).isEmpty();
    assertThat(list("nothing")).isEmpty();
    assertThatThrownBy(() -> list("shop/"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("write \"shop\"");
    assertThatThrownBy(() -> engine().dropAll("shop/"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("write \"shop\"");
    assertThat(list("shop")).hasSize(4);
  }

  @Test
  default void aLevelNeedsNoSpaceOfItsOwn() {
    create("shop/orders", "shop/items");
    assertThat(list("shop")).containsExactly("shop/items", "shop/orders");
    assertThat(engine().open("shop")).isNull();
    assertThat(engine().drop("shop")).isFalse();
    assertThat(list("shop")).hasSize(2);
  }

  @Test
  default void aListTellsWhatDescribeTells() {
    engine().create(new SpaceSpec("b", Layout.ENTRIES, Map.of("x", "1")));
    create("a");
    assertThat(engine().list("")).containsExactly(describe("a"), describe("b"));
  }

  @Test
  default void namesOfOneSpaceAndOfTheNextOneDontMix() {
    create("a", "a/b", "b");
    put(Objects.requireNonNull(engine().open("a")), ROW, "", "1");
    put(Objects.requireNonNull(engine().open("a/b")), ROW, "", "2");
    assertThat(engine().drop("a")).isTrue();
    assertThat(list("")).containsExactly("a/b", "b");
    assertThat(scanAll(Objects.requireNonNull(engine().open("a/b")))).containsExactly("row/=2");
  }

  @Test
  default void dropAllDropsALevel() {
    create("shop", "shopping", "shop/orders/by-day", "shop/orders", "other");
    Space below = Objects.requireNonNull(engine().open("shop/orders"));
    put(below, ROW, "", "1");
    assertThat(engine().dropAll("shop")).isEqualTo(3);
    assertThat(list("")).containsExactly("other", "shopping");
    assertThatThrownBy(() -> get(below, ROW, "")).isInstanceOf(IllegalStateException.class);
    assertThat(engine().dropAll("shop")).isZero();
    create("shop/orders");
    assertThat(scanAll(Objects.requireNonNull(engine().open("shop/orders")))).isEmpty();
    assertThat(engine().dropAll("")).isEqualTo(3);
    assertThat(list("")).isEmpty();
  }

  @Test
  default void namesMayHoldAnyPrintableCharacter() {
    List<String> names = List.of("caf\u00e9/\u65e5\u672c", "with space", "a.b:c*", "..", "A", "a");
    for (String name : names) {
      put(engine().create(spec(name, layout())), ROW, "", name.substring(0, 1));
    }
    assertThat(list("")).containsExactlyInAnyOrderElementsOf(names);
    assertThat(list("caf\u00e9")).containsExactly("caf\u00e9/\u65e5\u672c");
    for (String name : names) {
      assertThat(get(Objects.requireNonNull(engine().open(name)), ROW, ""))
          .isEqualTo(name.substring(0, 1));
    }
  }

  @Test
  default void manySpaces() {
    int count = 300;
    for (int i = 0; i < count; i++) {
      create(String.format(Locale.ROOT, "level%d/space%03d", i % 3, i));
    }
    assertThat(list("")).hasSize(count).isSorted();
    assertThat(list("level1")).hasSize(count / 3).isSorted();
    assertThat(engine().dropAll("level1")).isEqualTo(count / 3);
    assertThat(list("")).hasSize(count - count / 3);
  }

  @Test
  default void ofManyThreadsThatCreateOneNameOneSucceeds() throws Exception {
    for (int round = 0; round < 20; round++) {
      String name = "space" + round;
      AtomicInteger created = new AtomicInteger();
      Threads.run(
          Threads.CONTENDERS,
          thread -> {
            try {
              put(engine().create(spec(name, layout())), ROW, "", "" + thread);
              created.incrementAndGet();
            } catch (NameConflictException taken) {
              assertThat(engine().describe(name)).isNotNull();
            }
          });
      assertThat(created).hasValue(1);
      assertThat(scanAll(Objects.requireNonNull(engine().open(name)))).hasSize(1);
    }
  }

  @Test
  default void aCapabilityThatIsNotThereIsRefusedWithTheWayOut() {
    for (Capability capability : Capability.values()) {
      if (engine().capabilities().contains(capability)) {
        engine().require(capability);
      } else {
        assertThatThrownBy(() -> engine().require(capability))
            .isInstanceOf(UnsupportedOperationException.class)
            .hasMessageContaining(engine().description())
            .hasMessageContaining(capability.name())
            .hasMessageContaining(capability.wayOut());
      }
    }
  }

  @Test
  default void aRenameMovesTheRecordsOrIsRefusedWithTheWayOut() {
    put(entries(), ROW, "", "1");
    String from = entries().name();
    if (engine().capabilities().contains(Capability.RENAMES)) {
      assertThat(engine().rename(from, "renamed", false)).isTrue();
      assertThat(engine().describe(from)).isNull();
      Space renamed = Objects.requireNonNull(engine().open("renamed"));
      assertThat(get(renamed, ROW, "")).isEqualTo("1");
    } else {
      Space other = engine().create(spec("other", layout()));
      for (Runnable refused :
          List.<Runnable>of(
              () -> engine().rename(from, "renamed", false), () -> entries().copyTo(other))) {
        assertThatThrownBy(refused::run)
            .isInstanceOf(UnsupportedOperationException.class)
            .hasMessageContaining(Capability.RENAMES.name())
            .hasMessageContaining(Capability.RENAMES.wayOut());
      }
      assertThat(get(entries(), ROW, "")).isEqualTo("1");
      assertThat(engine().describe("renamed")).isNull();
    }
  }

  @Test
  default void aResetOnConditionLeavesWhatHasOtherAttributes() {
    Map<String, String> old = Map.of("type", "old");
    Map<String, String> wanted = Map.of("type", "new");
    SpaceSpec spec = new SpaceSpec("conditional", Layout.ENTRIES, wanted);
    assertThat(engine().reset(spec, old)).as("there is none").isNull();
    Space there = engine().create(new SpaceSpec("conditional", Layout.ENTRIES, old));
    put(there, ROW, "", "1");
    assertThat(engine().reset(spec, wanted)).isNull();
    assertThat(get(there, ROW, "")).isEqualTo("1");
    Space fresh = Objects.requireNonNull(engine().reset(spec, old));
    assertThat(get(fresh, ROW, "")).isNull();
    assertThat(fresh.info().attributes()).isEqualTo(wanted);
    assertThat(fresh.info().resets()).isEqualTo(1);
    assertThat(engine().reset(spec, old)).isNull();
    put(fresh, ROW, "", "2");
    assertThat(get(Objects.requireNonNull(engine().open("conditional")), ROW, "")).isEqualTo("2");
  }
}
