package io.rockpool.compatibility.boot4;

import io.rockpool.compatibility.boot4.Shop.Customer;
import io.rockpool.compatibility.boot4.Shop.Offer;
import io.rockpool.compatibility.boot4.Shop.OrderId;
import io.rockpool.compatibility.boot4.Shop.Price;
import io.rockpool.compatibility.boot4.Shop.Question;
import io.rockpool.compatibility.boot4.Shop.Size;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Currency;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.Sort;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Calls each method of the service twice, when it is asked to over HTTP. */
@RestController
class Cases {
  private final Catalog catalog;
  private final Lookup lookup;
  private final Map<String, Callable<Object>> cases = new LinkedHashMap<>();

  Cases(Catalog catalog, Lookup lookup) {
    this.catalog = catalog;
    this.lookup = lookup;
    values();
    keys();
  }

  private void values() {
    cases.put("entity", () -> catalog.customer("ann"));
    cases.put("entities", catalog::customers);
    cases.put("an entity that is there", () -> catalog.byId(2L));
    cases.put("an entity that is not", () -> catalog.byId(-1L));
    cases.put("page", () -> text(catalog.page(byName())));
    cases.put("page without pages", () -> text(catalog.page(Pageable.unpaged())));
    cases.put("page of records", () -> text(catalog.offers(PageRequest.of(2, 3))));
    cases.put("slice", () -> catalog.slice(1).getContent());
    cases.put("JSON object", () -> catalog.json("{\"a\":[1,2.5,null,\"x\"],\"b\":{\"c\":true}}"));
    cases.put("JSON array", () -> catalog.json("[1,10000000000,1e300,\"\\u20ac\"]"));
    cases.put("JSON null", () -> catalog.json("null"));
    cases.put("response", () -> catalog.response(7));
    cases.put("response with a list", catalog::responses);
    cases.put("response without a body", catalog::emptyResponse);
    cases.put("record", () -> catalog.record(question(), LocalDate.EPOCH));
    cases.put("records", () -> catalog.prices(Size.LARGE));
    cases.put("map", catalog::map);
    cases.put("array", () -> Arrays.toString(catalog.array(new byte[] {1, 2})));
    cases.put("null", () -> catalog.nothing("x"));
    cases.put("optional", () -> catalog.optional(1));
    cases.put("empty optional", () -> catalog.optional(-1));
    cases.put("list with null", catalog::listWithNull);
    cases.put("future", () -> catalog.future(5).get());
    cases.put("future of null", () -> catalog.future(-1).get());
    cases.put("mono", () -> catalog.mono(3).block());
    cases.put("empty mono", () -> catalog.mono(-1).block());
    cases.put("flux", () -> catalog.flux(3).collectList().block());
    cases.put("empty flux", () -> catalog.flux(0).collectList().block());
    cases.put("one at a time", () -> catalog.synchronizedPrice(Size.SMALL));
  }

  private void keys() {
    cases.put("no key", lookup::none);
    cases.put("three keys", () -> lookup.three("x", Size.LARGE, new TreeSet<>(Set.of(3L, 1L))));
    cases.put("three keys, one null", () -> lookup.three(null, Size.SMALL, Set.of()));
    cases.put(
        "arrays",
        () -> lookup.arrays(new String[] {"a", null}, new int[] {1, 2}, new OrderId("a", 1)));
    cases.put("pageable", () -> lookup.pageable(byName(), Sort.unsorted()));
    cases.put("pageable, unpaged", () -> lookup.pageable(Pageable.unpaged(), Sort.by("a", "b")));
    cases.put("text by SpEL", () -> lookup.text(new Offer("o", List.of()), Size.LARGE));
    cases.put("list by SpEL", () -> lookup.list("a", Size.LARGE));
    cases.put("list with null by SpEL", () -> lookup.list(null, null));
    cases.put("number by SpEL", () -> lookup.number("abc", 4));
    cases.put("generated", () -> lookup.generated("a", new OrderId("a", 1)));
    List<Object> some = anyKeys();
    for (int i = 0; i < some.size(); i++) {
      int at = i;
      String kind = some.get(i) == null ? "null" : some.get(i).getClass().getName();
      cases.put("key " + i + ", " + kind, () -> lookup.any(anyKeys().get(at)));
    }
  }

  /** Keys of which no two are equal, new ones each time. */
  private static List<Object> anyKeys() {
    return Arrays.asList(
        null,
        "1",
        1,
        1L,
        (short) 1,
        (byte) 1,
        '1',
        1.0,
        1.0f,
        true,
        BigInteger.ONE,
        new BigDecimal("1.0"),
        new BigDecimal("1.00"),
        Size.SMALL,
        Size.LARGE,
        "SMALL",
        new UUID(0, 1),
        LocalDate.EPOCH,
        Instant.EPOCH,
        Duration.ofDays(1),
        ZoneId.of("Europe/Lisbon"),
        Locale.forLanguageTag("zh-Hant-TW"),
        Currency.getInstance("EUR"),
        URI.create("http://a/1"),
        List.of("1"),
        Set.of("1", "2", "3"),
        Map.of("1", 1, "2", List.of(Size.LARGE)),
        Optional.of("1"),
        Optional.empty(),
        question(),
        new Price(new BigDecimal("1.0"), Size.LARGE),
        new OrderId("a", 1),
        List.of(new OrderId("a", 1), question()),
        byName(),
        PageRequest.of(0, 1),
        Sort.by(Sort.Order.asc("a").ignoreCase().nullsLast()),
        new String[] {"1"},
        new int[] {1},
        Customer.class);
  }

  private static Question question() {
    return new Question(
        "which?", IntStream.of(3, 1, 2).boxed().collect(Collectors.toCollection(TreeSet::new)));
  }

  private static PageRequest byName() {
    return PageRequest.of(0, 1, Sort.by("name").descending());
  }

  private static String text(Page<?> page) {
    return page.getContent()
        + " of "
        + page.getTotalElements()
        + " by "
        + page.getSort()
        + ", "
        + (page.getPageable().isPaged() ? page.getPageable() : "all")
        + (page.hasNext() ? ", and more" : "");
  }

  /** Says in a line for each case what it returned, and how many calls reached its method. */
  @GetMapping("/cases")
  String run() {
    catalog.fill();
    StringBuilder lines = new StringBuilder();
    for (Map.Entry<String, Callable<Object>> each : cases.entrySet()) {
      int before = catalog.calls() + lookup.calls();
      String first = answer(each.getValue());
      String second = answer(each.getValue());
      int calls = catalog.calls() + lookup.calls() - before;
      lines.append(each.getKey()).append('\t').append(first);
      if (!first.equals(second)) {
        lines.append(" and then ").append(second);
      }
      lines.append('\t').append(calls).append('\n');
    }
    return lines.toString();
  }

  private static String answer(Callable<Object> call) {
    try {
      return String.valueOf(call.call());
    } catch (Exception e) {
      return "throws " + e;
    }
  }

  @GetMapping("/owner")
  String owner() {
    return catalog.owner("key") + ", calls " + catalog.calls();
  }
}
