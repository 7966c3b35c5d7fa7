package io.rockpool.compatibility.boot4;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.compatibility.boot4.Shop.Customer;
import io.rockpool.compatibility.boot4.Shop.Offer;
import io.rockpool.compatibility.boot4.Shop.Question;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Sort;

/**
 * A service made of starters alone: what its methods return is cached, and is there after a
 * restart, with no property but where the store and the database lie.
 */
@Tag("slow")
final class ShopTest {
  @TempDir Path directory;

  private ConfigurableApplicationContext start() {
    return SpringApplication.run(
        Shop.class,
        "--rockpool.directory=" + directory.resolve("store"),
        "--spring.datasource.url=jdbc:h2:" + directory.resolve("database"),
        "--spring.jpa.hibernate.ddl-auto=update",
        "--spring.main.web-application-type=none",
        "--spring.main.banner-mode=off",
        "--logging.level.root=warn");
  }

  /** Calls each method twice; returns how many calls reached it. */
  private static int callAll(Catalog catalog) throws Exception {
    int before = catalog.calls();
    for (int round = 0; round < 2; round++) {
      Customer ann = catalog.customer("ann");
      assertThat(ann.since).isEqualTo("2024-02-29");
      assertThat(ann.labels).containsExactly("new");
      assertThat(ann.purchases).extracting(it -> it.what).containsExactly("pear");
      Page<Customer> page = catalog.page(PageRequest.of(0, 1, Sort.by("name").descending()));
      assertThat(page.getContent()).extracting(it -> it.name).containsExactly("bob");
      assertThat(page.getTotalElements()).isEqualTo(2);
      assertThat(page.getSort().getOrderFor("name").isDescending()).isTrue();
      assertThat(catalog.json("{\"a\":[1,2.5,null,\"x\"]}").at("/a/3").asString()).isEqualTo("x");
      assertThat(catalog.response(7).getBody().name()).isEqualTo("offer-7");
      assertThat(catalog.response(7).getHeaders().getFirst("X-Number")).isEqualTo("7");
      Question question = new Question("which?", Set.of(3, 1, 2));
      assertThat(catalog.record(question, LocalDate.EPOCH).name()).isEqualTo("offer-3");
      assertThat(catalog.nothing("x")).isNull();
      assertThat(catalog.optional(1)).contains(new Offer("offer-1", List.of("a", "b")));
      assertThat(catalog.optional(-1)).isEmpty();
      assertThat(catalog.listWithNull()).containsExactly("a", null, "c");
      assertThat(catalog.future(5).get().name()).isEqualTo("offer-5");
    }
    return catalog.calls() - before;
  }

  @Test
  void whatMethodsReturnIsCachedAndSurvivesARestart() throws Exception {
    try (ConfigurableApplicationContext context = start()) {
      Catalog catalog = context.getBean(Catalog.class);
      catalog.fill();
      assertThat(callAll(catalog)).isEqualTo(10);
    }
    try (ConfigurableApplicationContext context = start()) {
      assertThat(callAll(context.getBean(Catalog.class))).isZero();
    }
  }

  @Test
  void aValueThatCannotBeKeptIsReturnedAndNotCached() {
    try (ConfigurableApplicationContext context = start()) {
      Catalog catalog = context.getBean(Catalog.class);
      catalog.fill();
      for (int call = 1; call <= 2; call++) {
        assertThat(catalog.lazy("pear")).hasSize(1);
        assertThat(catalog.calls()).isEqualTo(call);
      }
    }
  }
}
