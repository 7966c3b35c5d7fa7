package io.rockpool.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.structure.PersistentMap;
import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.TestPropertySource;

/** The stores of applications that are tested with Spring's own test support. */
final class TemporaryStoreTest {
  private static final String TEMPORARY = "rockpool-temporary-";
  private static final String WEB = "spring.main.web-application-type=none";

  @TempDir static Path directory;

  @Configuration
  @EnableCaching
  @ImportAutoConfiguration({RockpoolAutoConfiguration.class, RockpoolCacheAutoConfiguration.class})
  static class Application {
    int calls;

    @Cacheable("squares")
    public int square(int number) {
      calls++;
      return number * number;
    }
  }

  /** Asks for no store, so that none is opened. */
  @Configuration
  @ImportAutoConfiguration(RockpoolAutoConfiguration.class)
  static class WithoutCaching {}

  @SpringBootTest(classes = Application.class, properties = WEB)
  @DirtiesContext
  static class Plain {}

  @SpringBootTest(
      classes = Application.class,
      properties = {WEB, "rockpool.memory=32MB"})
  @DirtiesContext
  static class WithOtherOptions {}

  @SpringBootTest(classes = WithoutCaching.class, properties = WEB)
  @TestPropertySource(properties = "rockpool.directory=${java.io.tmpdir}/told-by-the-test")
  static class Told {}

  @SpringBootTest(classes = WithoutCaching.class, properties = WEB)
  static class Dynamic {
    @DynamicPropertySource
    static void properties(DynamicPropertyRegistry registry) {
      registry.add("rockpool.directory", () -> directory.resolve("dynamic").toString());
    }
  }

  @SpringBootTest(
      classes = WithoutCaching.class,
      properties = {WEB, "rockpool.test.temporary=false"})
  static class NotTemporary {}

  private static final String ON_SERVER = "spring.config.name=on-server";

  @SpringBootTest(
      classes = Application.class,
      properties = {WEB, ON_SERVER})
  static class OfAnApplicationOnAServer {}

  @SpringBootTest(
      classes = Application.class,
      properties = {WEB, ON_SERVER, "rockpool.uri=memory://of-the-test"})
  static class WithAServerOfItsOwn {}

  @SpringBootTest(
      classes = Application.class,
      properties = {WEB, ON_SERVER})
  static class WithADynamicServer {
    @DynamicPropertySource
    static void properties(DynamicPropertyRegistry registry) {
      registry.add("rockpool.uri", () -> "memory://of-the-test");
    }
  }

  @SpringBootTest(
      classes = Application.class,
      properties = {WEB, ON_SERVER, "rockpool.test.temporary=false"})
  static class OnTheServer {}

  private ConfigurableApplicationContext context;

  private ApplicationContext contextOf(Class<?> test) {
    context =
        (ConfigurableApplicationContext)
            new TestContextManager(test).getTestContext().getApplicationContext();
    return context;
  }

  @AfterEach
  void close() {
    context.close();
  }

  private static String storeOf(ApplicationContext context) {
    return context.getBean(Rockpool.class).toString();
  }

  @Test
  void eachContextHasAStoreOfItsOwn() {
    ApplicationContext one = contextOf(Plain.class);
    Application application = one.getBean(Application.class);
    assertThat(application.square(3)).isEqualTo(9);
    assertThat(application.square(3)).isEqualTo(9);
    assertThat(storeOf(one)).contains(TEMPORARY);
    ApplicationContext other = contextOf(WithOtherOptions.class);
    assertThat(storeOf(other)).contains(TEMPORARY).isNotEqualTo(storeOf(one));
    Path first = Path.of(storeOf(one).substring(storeOf(one).indexOf('/')));
    assertThat(first).exists();
    ((ConfigurableApplicationContext) one).close();
    assertThat(first).doesNotExist();
    assertThat(Path.of("rockpool-data")).doesNotExist();
  }

  @Test
  void whatTheTestSetsGoesFirst() {
    assertThat(storeDirectory(Told.class))
        .isEqualTo(new File(System.getProperty("java.io.tmpdir"), "told-by-the-test"));
    close();
    assertThat(storeDirectory(Dynamic.class)).isEqualTo(directory.resolve("dynamic").toFile());
    close();
    assertThat(storeDirectory(NotTemporary.class)).isEqualTo(new File("rockpool-data"));
  }

  /** Its tests would use, and clear, the application's data. */
  @Test
  void theServerOfTheApplicationIsNotUsed() {
    PersistentMap<String, Long> real =
        Rockpool.open(URI.create("memory://of-the-application")).map("m", String.class, Long.class);
    real.put("real", 1L);
    ApplicationContext test = contextOf(OfAnApplicationOnAServer.class);
    assertThat(storeOf(test)).contains(TEMPORARY);
    test.getBean(Rockpool.class).map("m", String.class, Long.class).clear();
    assertThat(test.getBean(Application.class).square(3)).isEqualTo(9);
    assertThat(real).containsOnlyKeys("real");
    close();
    for (Class<?> each : List.of(WithAServerOfItsOwn.class, WithADynamicServer.class)) {
      test = contextOf(each);
      assertThat(storeOf(test)).doesNotContain(TEMPORARY);
      assertThat(test.getBean(Rockpool.class).map("m", String.class, Long.class)).isEmpty();
      close();
    }
    test = contextOf(OnTheServer.class);
    assertThat(test.getBean(Rockpool.class).map("m", String.class, Long.class))
        .containsOnlyKeys("real");
  }

  private File storeDirectory(Class<?> test) {
    return contextOf(test).getBean(RockpoolProperties.class).directory();
  }
}
