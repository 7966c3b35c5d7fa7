package io.rockpool.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.testing.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.expression.spel.SpelEvaluationException;

/** Tags of methods with cache annotations; the test itself is the executor of refreshes. */
final class CacheTagsTest {
  private static final Duration SOFT = Duration.ofMinutes(1);

  record Book(String title, String author, List<String> topics) {}

  static class Books {
    final Map<String, Book> all = new HashMap<>();
    final List<String> calls = new ArrayList<>();
    Runnable meanwhile = () -> {};

    private Book read(String isbn) {
      calls.add(isbn);
      Book book = all.get(isbn);
      meanwhile.run();
      return book;
    }

    @Cacheable("books")
    @CacheTags({"books", "author:#{#result?.author}", "#{#result?.topics}", "isbn:#{#isbn}"})
    public Book find(String isbn) {
      return read(isbn);
    }

    @Cacheable(cacheNames = "books", key = "'synced ' + #isbn", sync = true)
    @CacheTags("author:#{#result.author}")
    public Book findSynced(String isbn) {
      return read(isbn);
    }

    @Cacheable(cacheNames = "soft", sync = true)
    @CacheTags("author:#{#result.author}")
    public Book findSoftSynced(String isbn) {
      return read(isbn);
    }

    @Cacheable("soft")
    @CacheTags("author:#{#result.author}")
    public Book findSoft(String isbn) {
      return read(isbn);
    }

    @Cacheable("books")
    @CacheTags("author:#{#result.author}")
    public Optional<Book> findOptional(String isbn, boolean optional) {
      return Optional.of(read(isbn));
    }

    @CachePut(cacheNames = "books", key = "#isbn")
    @CacheTags("author:#{#result.author}")
    public Book put(String isbn, Book book) {
      all.put(isbn, book);
      return book;
    }

    @CacheEvictTags(
        cacheNames = {"books", "soft"},
        value = "author:#{#author}")
    public void changed(String author) {
      if (author.isEmpty()) {
        throw new IllegalArgumentException("no author");
      }
    }
  }

  static class Drafts {
    final List<String> calls = new ArrayList<>();

    @CacheEvictTags(
        cacheNames = "books",
        value = "author:#{#authors[0].length() > 0 ? #authors[0] : null}")
    public String replace(String[] authors, String other) {
      calls.add("replace");
      authors[0] = other;
      return other;
    }

    @Cacheable(cacheNames = "books", key = "'draft'")
    @CacheTags({"author:#{#author.trim()}", "#{#result.length()}"})
    public String find(String author) {
      calls.add("find");
      return author;
    }

    @CacheEvictTags(
        cacheNames = "books",
        value = {"author:#{#result.trim()}", "#{ { #result } }"})
    public String remove(String author) {
      calls.add("remove");
      return author;
    }
  }

  @Configuration
  @EnableCaching(proxyTargetClass = true)
  static class Config {
    @Bean
    static CacheableRefresher cacheableRefresher() {
      return new CacheableRefresher();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static CacheTagsAdvisor cacheTagsAdvisor(ObjectProvider<CacheManager> manager) {
      return new CacheTagsAdvisor(manager::getObject);
    }

    @Bean
    Drafts drafts() {
      return new Drafts();
    }

    @Bean
    Books books() {
      return new Books();
    }
  }

  private final FakeClock clock = new FakeClock();
  private final List<Runnable> refreshes = new ArrayList<>();
  private final Rockpool pool = SuiteStores.open(clock);
  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();
  private Books books;
  private RockpoolCacheManager manager;
  private Books target;

  @BeforeEach
  void open() {
    manager = new RockpoolCacheManager(pool);
    manager.setRefreshExecutor(refreshes::add);
    manager.setCacheConfiguration("soft", RockpoolCacheConfiguration.defaults().softTtl(SOFT));
    context.registerBean(RockpoolCacheManager.class, () -> manager);
    context.register(Config.class);
    context.refresh();
    books = context.getBean(Books.class);
    target = (Books) AopProxyUtils.getSingletonTarget(books);
    target.all.put("1", new Book("Dune", "Herbert", List.of("sand", "spice")));
    target.all.put("2", new Book("Solaris", "Lem", List.of("sea")));
  }

  @AfterEach
  void close() {
    context.close();
    pool.close();
  }

  private RockpoolCache cache(String name) {
    return (RockpoolCache) manager.getCache(name);
  }

  @Test
  void entriesHaveTheTagsOfTheirMethod() {
    books.find("1");
    books.find("2");
    assertThat(cache("books").getNativeCache().tags("1"))
        .containsExactlyInAnyOrder("books", "author:Herbert", "sand", "spice", "isbn:1");
    books.changed("Herbert");
    books.find("1");
    books.find("2");
    assertThat(target.calls).containsExactly("1", "2", "1");
    cache("books").invalidateTags(Set.of("sea"));
    books.find("1");
    books.find("2");
    assertThat(target.calls).containsExactly("1", "2", "1", "2");
    books.find("none");
    cache("books").invalidateTags(Set.of("isbn:none"));
    books.find("none");
    assertThat(target.calls).endsWith("none", "none");
  }

  @Test
  void eachKindOfMethodHasTags() {
    books.findSynced("1");
    books.findOptional("1", true);
    books.put("3", new Book("Dune 2", "Herbert", List.of()));
    assertThat(books.find("3").title()).isEqualTo("Dune 2");
    assertThat(target.calls).hasSize(2);
    books.changed("Herbert");
    books.findSynced("1");
    books.findOptional("1", true);
    books.find("3");
    assertThat(target.calls).hasSize(5);
  }

  @Test
  void aMethodThatThrowsEvictsNothing() {
    books.find("1");
    try {
      books.changed("");
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessage("no author");
    }
    books.find("1");
    assertThat(target.calls).hasSize(1);
  }

  @Test
  void whatWasReadBeforeAnEvictionIsNotServedAfterIt() {
    target.meanwhile = () -> books.changed("Herbert");
    books.find("1");
    books.findSynced("1");
    target.meanwhile = () -> {};
    books.find("1");
    books.findSynced("1");
    books.find("1");
    books.findSynced("1");
    assertThat(target.calls).hasSize(4);
  }

  @Test
  void refreshedValuesHaveTags() {
    for (boolean synced : new boolean[] {false, true}) {
      String isbn = synced ? "1" : "2";
      Book first = synced ? books.findSoftSynced(isbn) : books.findSoft(isbn);
      clock.advanceMillis(SOFT.toMillis());
      assertThat(synced ? books.findSoftSynced(isbn) : books.findSoft(isbn)).isEqualTo(first);
      refreshes.forEach(Runnable::run);
      refreshes.clear();
      assertThat(target.calls).hasSize(2);
      assertThat(cache("soft").getNativeCache().tags(isbn))
          .containsExactly("author:" + first.author());
      books.changed(first.author());
      assertThat(cache("soft").get(isbn)).isNull();
      target.calls.clear();
    }
  }

  @Test
  void anExpressionWithoutTheResultFailsBeforeItsMethodRuns() {
    Drafts drafts = context.getBean(Drafts.class);
    List<String> calls = ((Drafts) AopProxyUtils.getSingletonTarget(drafts)).calls;
    assertThatThrownBy(() -> drafts.replace(new String[1], "a"))
        .isInstanceOf(SpelEvaluationException.class);
    assertThatThrownBy(() -> drafts.find(null)).isInstanceOf(SpelEvaluationException.class);
    assertThat(calls).isEmpty();
    assertThatThrownBy(() -> drafts.remove(null)).isInstanceOf(SpelEvaluationException.class);
    assertThat(calls).containsExactly("remove");
    assertThat(drafts.find("Lem")).isEqualTo("Lem");
    assertThat(cache("books").getNativeCache().tags("draft"))
        .containsExactlyInAnyOrder("author:Lem", "3");
    assertThat(drafts.remove("Lem")).isEqualTo("Lem");
    assertThat(cache("books").get("draft")).isNull();
  }

  @Test
  void argumentsThatTheirMethodChangesEvictWhatTheyWereAndAre() {
    Drafts drafts = context.getBean(Drafts.class);
    books.find("1");
    books.find("2");
    assertThat(drafts.replace(new String[] {"Lem"}, "Herbert")).isEqualTo("Herbert");
    books.find("1");
    books.find("2");
    assertThat(target.calls).containsExactly("1", "2", "1", "2");
  }
}
