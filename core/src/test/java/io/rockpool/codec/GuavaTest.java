package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.HashBasedTable;
import com.google.common.collect.HashBiMap;
import com.google.common.collect.HashMultimap;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableBiMap;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.ImmutableRangeSet;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSetMultimap;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.ImmutableTable;
import com.google.common.collect.LinkedHashMultimap;
import com.google.common.collect.Lists;
import com.google.common.collect.Maps;
import com.google.common.collect.Range;
import com.google.common.collect.Sets;
import com.google.common.collect.TreeMultimap;
import com.google.common.collect.TreeMultiset;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.Ints;
import io.rockpool.error.UnencodableValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Guava's collections, many of which Fory knows by number, are learned as other classes are. */
class GuavaTest {
  record Declared(
      ImmutableList<String> list,
      ImmutableSet<String> set,
      ImmutableMap<String, Integer> map,
      HashMultimap<String, Integer> multimap,
      HashBasedTable<String, String, Integer> table) {}

  private static final Pattern ADVICE = Pattern.compile("allowPackage\\(\"([\\w.]+)\"\\)");
  private static final int MOST_ADVICE = 5;

  /** As a store has it, which knows the classes after it was opened again. */
  private static final class Kept implements ClassCatalog {
    private final Set<String> names = ConcurrentHashMap.newKeySet();

    @Override
    public boolean contains(String name) {
      return names.contains(name);
    }

    @Override
    public void add(String name) {
      names.add(name);
    }
  }

  private static List<Object> all() {
    HashMultimap<String, Integer> multimap = HashMultimap.create();
    multimap.put("a", 1);
    HashBasedTable<String, String, Integer> table = HashBasedTable.create();
    table.put("a", "b", 1);
    return List.of(
        new Declared(
            ImmutableList.of("a"), ImmutableSet.of("a"), ImmutableMap.of("a", 1), multimap, table),
        new Declared(
            ImmutableList.of("a", "b"),
            ImmutableSet.of("a", "b"),
            ImmutableMap.of("a", 1, "b", 2),
            multimap,
            table),
        new Declared(ImmutableList.of(), ImmutableSet.of(), ImmutableMap.of(), multimap, table),
        new Declared(null, null, null, null, null),
        ImmutableList.of(),
        ImmutableList.of(1),
        ImmutableList.of(1, 2),
        ImmutableList.of(1, 2, 3).subList(1, 3),
        ImmutableList.of(1, 2).reverse(),
        ImmutableSet.of(),
        ImmutableSet.of(1),
        ImmutableSet.of(1, 2, 3),
        ImmutableMap.of(),
        ImmutableMap.of(1, 2),
        ImmutableMap.of(1, 2, 3, 4),
        ImmutableSortedSet.of(1, 2),
        ImmutableSortedMap.of(1, 2, 3, 4),
        ImmutableBiMap.of(1, 2),
        ImmutableBiMap.of(1, 2, 3, 4),
        ImmutableListMultimap.of(1, 2),
        ImmutableSetMultimap.of(1, 2),
        ImmutableTable.of(1, 2, 3),
        ImmutableMultiset.of(1, 1),
        ImmutableRangeSet.of(Range.closed(1, 2)),
        ImmutableIntArray.of(1, 2),
        Ints.asList(1, 2),
        HashMultiset.create(List.of(1, 1)),
        HashBiMap.create(Map.of(1, 2)),
        TreeMultiset.create(List.of(1)),
        LinkedHashMultimap.create(multimap),
        TreeMultimap.create(multimap),
        ArrayListMultimap.create(multimap),
        multimap,
        table,
        Range.closedOpen(1, 2),
        Lists.reverse(new ArrayList<>(List.of(1, 2))),
        Sets.immutableEnumSet(TimeUnit.DAYS),
        Maps.immutableEnumMap(Map.of(TimeUnit.DAYS, 1)));
  }

  @Test
  void aStoreLearnsThem() {
    for (Object value : all()) {
      Kept classes = new Kept();
      byte[] bytes = codec(Codecs.defaults().learningIn(classes)).encode(value);
      Object back = codec(Codecs.defaults().learningIn(classes)).decode(bytes, 0, bytes.length);
      assertThat(back).isEqualTo(value);
    }
  }

  /** As an application that reads the messages. */
  @Test
  void whatStrictCodecsSayToAllowIsEnough() {
    for (Object value : all()) {
      Codecs.Builder allowing = Codecs.builder().allow(Declared.class);
      for (int i = 0; i < MOST_ADVICE; i++) {
        try {
          codec(allowing.build()).encode(value);
          break;
        } catch (UnencodableValueException e) {
          Matcher advice = ADVICE.matcher(e.getMessage());
          assertThat(advice.find()).as(e.getMessage()).isTrue();
          allowing.allowPackage(advice.group(1));
        }
      }
      byte[] bytes = codec(allowing.build()).encode(value);
      assertThat(codec(allowing.build()).decode(bytes, 0, bytes.length)).isEqualTo(value);
    }
  }

  private static Codec<Object> codec(Codecs codecs) {
    return codecs.valueCodec(TypeRef.of(Object.class));
  }
}
