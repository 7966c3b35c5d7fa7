package io.rockpool.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.apache.ibatis.annotations.CacheNamespace;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;
import org.apache.ibatis.cache.Cache;
import org.apache.ibatis.datasource.unpooled.UnpooledDataSource;
import org.apache.ibatis.executor.statement.StatementHandler;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.plugin.Interceptor;
import org.apache.ibatis.plugin.Intercepts;
import org.apache.ibatis.plugin.Invocation;
import org.apache.ibatis.plugin.Signature;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.ResultHandler;
import org.apache.ibatis.session.RowBounds;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** MyBatis' second-level cache: results of queries by keys that MyBatis makes. */
final class MyBatisTest extends ProgramTest {
  /** MyBatis' cache on JCache; it puts null where there was no result. */
  public static final class JCache implements Cache {
    static CacheManager manager;

    private final String id;
    private final javax.cache.Cache<Object, Object> cache;

    public JCache(String id) {
      this.id = id;
      javax.cache.Cache<Object, Object> known = manager.getCache(id);
      this.cache = known != null ? known : manager.createCache(id, new MutableConfiguration<>());
    }

    @Override
    public String getId() {
      return id;
    }

    @Override
    public void putObject(Object key, Object value) {
      if (value == null) {
        cache.remove(key);
      } else {
        cache.put(key, value);
      }
    }

    @Override
    public Object getObject(Object key) {
      return cache.get(key);
    }

    @Override
    public Object removeObject(Object key) {
      return cache.getAndRemove(key);
    }

    @Override
    public void clear() {
      cache.clear();
    }

    @Override
    public int getSize() {
      int size = 0;
      for (Object entry : cache) {
        assertThat(entry).isNotNull();
        size++;
      }
      return size;
    }
  }

  public static final class Book implements Serializable {
    private static final long serialVersionUID = 1L;
    private int id;
    private String title;
    private LocalDate printed;

    @Override
    public String toString() {
      return id + " " + title + " " + printed;
    }
  }

  public enum Size {
    SMALL
  }

  @CacheNamespace(implementation = JCache.class)
  public interface Books {
    @Update("create table if not exists book (id int primary key, title varchar, printed date)")
    void create();

    @Insert("insert into book values (#{id}, #{title}, '2024-02-29')")
    void add(@Param("id") int id, @Param("title") String title);

    @Select("select * from book order by id")
    List<Book> all();

    @Select("select * from book order by id")
    List<Book> some(RowBounds bounds);

    @Select("select * from book where id = #{id}")
    Book byId(int id);

    @Select("select * from book where title = #{title} and printed > #{since}")
    List<Book> search(@Param("title") String title, @Param("since") LocalDate since);

    @Select("select count(*) from book where title <> #{size}")
    long other(Size size);

    @Select("select id, title from book where id = #{id}")
    Map<String, Object> columns(int id);

    @Select("select count(*) from book")
    long count();
  }

  /** Counts the queries that reach the database. */
  @Intercepts(
      @Signature(
          type = StatementHandler.class,
          method = "query",
          args = {Statement.class, ResultHandler.class}))
  public static final class Queries implements Interceptor {
    private final AtomicInteger count = new AtomicInteger();

    @Override
    public Object intercept(Invocation invocation) throws Throwable {
      count.incrementAndGet();
      return invocation.proceed();
    }
  }

  private static final LocalDate EPOCH = LocalDate.EPOCH;

  private final Queries queries = new Queries();

  private SqlSessionFactory start(CacheManager manager) {
    JCache.manager = manager;
    UnpooledDataSource database =
        new UnpooledDataSource("org.h2.Driver", "jdbc:h2:" + directory.resolve("db"), "", "");
    Configuration configuration =
        new Configuration(new Environment("test", new JdbcTransactionFactory(), database));
    configuration.addInterceptor(queries);
    configuration.addMapper(Books.class);
    return new SqlSessionFactoryBuilder().build(configuration);
  }

  /** Has a session of its own do some work; returns what that says. */
  private static String in(SqlSessionFactory factory, Function<Books, Object> work) {
    try (SqlSession session = factory.openSession()) {
      String result = String.valueOf(work.apply(session.getMapper(Books.class)));
      session.commit();
      return result;
    }
  }

  /** Makes each query twice; returns how many reached the database. */
  private int queryAll(SqlSessionFactory factory) {
    int before = queries.count.get();
    String faust = "1 Faust 2024-02-29";
    String ulysses = "2 Ulysses 2024-02-29";
    for (int round = 0; round < 2; round++) {
      assertThat(in(factory, Books::all)).isEqualTo("[" + faust + ", " + ulysses + "]");
      assertThat(in(factory, it -> it.some(new RowBounds(1, 1)))).isEqualTo("[" + ulysses + "]");
      assertThat(in(factory, it -> it.byId(2))).isEqualTo(ulysses);
      assertThat(in(factory, it -> it.search("Faust", EPOCH))).isEqualTo("[" + faust + "]");
      assertThat(in(factory, it -> it.search("Emma", EPOCH))).isEqualTo("[]");
      assertThat(in(factory, it -> it.columns(1))).contains("TITLE=Faust", "ID=1");
      assertThat(in(factory, Books::count)).isEqualTo("2");
    }
    return queries.count.get() - before;
  }

  private SqlSessionFactory fill(SqlSessionFactory factory) {
    in(
        factory,
        books -> {
          books.create();
          books.add(1, "Faust");
          books.add(2, "Ulysses");
          return "filled";
        });
    return factory;
  }

  @ParameterizedTest
  @EnumSource
  void eachQueryIsMadeOnceUntilSomethingIsWritten(Provider provider) {
    SqlSessionFactory factory = fill(start(open(provider)));
    assertThat(queryAll(factory)).isEqualTo(7);
    assertThat(in(factory, books -> books.byId(3))).isEqualTo("null");
    in(
        factory,
        books -> {
          books.add(3, "Emma");
          return "added";
        });
    assertThat(in(factory, books -> books.byId(3))).isEqualTo("3 Emma 2024-02-29");
    assertThat(in(factory, Books::count)).isEqualTo("3");
    assertThat(new JCache(Books.class.getName()).getSize()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(names = {"ROCKPOOL", "REDIS", "POSTGRESQL"})
  void aRestartedApplicationMakesNoQuery(Provider provider) {
    assertThat(queryAll(fill(start(open(provider))))).isEqualTo(7);
    assertThat(queryAll(start(restart(provider)))).isZero();
  }

  /** MyBatis' key keeps its hash code, and an enum's is another one in each process. */
  @Test
  void anEnumAmongTheParametersIsRefusedByName() {
    SqlSessionFactory factory = fill(start(open(Provider.ROCKPOOL)));
    assertThatThrownBy(() -> in(factory, books -> books.other(Size.SMALL)))
        .hasMessageContaining("org.apache.ibatis.cache.CacheKey cannot be a key");
  }
}
