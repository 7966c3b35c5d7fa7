package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.Map;
import java.util.stream.Stream;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.integration.CacheLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is wrong in a configuration file is said, with its line and what is right. */
class ConfigurationMistakesTest extends JCacheTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rockpool.jcahce { } | has no rockpool.jcache; is \"rockpool.jcahce\" meant to be that?",
        "rockpol { jcache { } } | has no rockpool.jcache; is \"rockpol.jcache\" meant to be that?",
        "other { } | has no rockpool.jcache.",
        "'' | has no rockpool.jcache."
      })
  void aFileThatIsNamedHasTheRoot(String text, String message) throws IOException {
    Files.writeString(file(), text);
    assertThatThrownBy(() -> provider.getCacheManager(file().toUri(), null))
        .isInstanceOf(CacheException.class)
        .hasMessage("The configuration file " + file().toUri() + " " + message);
  }

  @Test
  void aSubstitutionWithoutAValueIsNamedAndItsTextIsNot() throws IOException {
    Files.writeString(
        file(), "rockpool.jcache.uri = \"postgresql://shop:se\"${ROCKPOOL_NO_SUCH}\"cret@h/d\"");
    assertThatThrownBy(() -> provider.getCacheManager(file().toUri(), null))
        .isInstanceOf(CacheException.class)
        .hasNoCause()
        .hasMessage(
            "The configuration file "
                + file().toUri()
                + " has a substitution without a value: ${ROCKPOOL_NO_SUCH}. Set the environment"
                + " variable of that name, or that setting.");
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        Arguments.of(
            "caches { orders { hot-sise = 5 } }",
            ": 4: there is no setting \"hot-sise\" of cache \"orders\"; did you mean"
                + " \"hot-size\"?"),
        Arguments.of(
            "\ndefaults { colour = blue }",
            ": 5: there is no setting \"colour\" of the defaults. There are: "),
        Arguments.of(
            "cache {}",
            ": 4: there is no setting \"cache\" of rockpool.jcache; did you mean \"caches\"?"),
        Arguments.of("caches = 5", ": 4: caches of rockpool.jcache is 5; give settings in braces."),
        Arguments.of(
            "caches { orders = 5 }", ": 4: orders of caches is 5; give settings in braces."),
        Arguments.of(
            "caches { orders {\n\n hot-size = many } }",
            ": 6: hot-size of cache \"orders\" is \"many\"; give a number of entries, such as 10000,"),
        Arguments.of(
            "defaults { hot-size = 1.5 }",
            ": 4: hot-size of the defaults is 1.5; give a number of entries"),
        Arguments.of(
            "defaults { hot-size = -1 }",
            ": 4: hot-size of the defaults is -1; give a number of entries"),
        Arguments.of("defaults { hot-size = -1MiB }", "hot-size of the defaults is \"-1MiB\""),
        Arguments.of("defaults { hot-size = 64 hats }", "such as 64MiB"),
        Arguments.of("defaults { maximum-size = 0 }", "maximum-size of the defaults is 0"),
        Arguments.of("defaults { disk-budget = 0 }", "disk-budget of the defaults is 0"),
        Arguments.of(
            "defaults { soft-ttl = 0s }", "soft-ttl of the defaults is \"0s\"; give more than 0,"),
        Arguments.of("defaults { soft-ttl = -1s }", "soft-ttl of the defaults is \"-1s\""),
        Arguments.of(
            "defaults { jitter = 1 }",
            ": 4: jitter of the defaults is 1; give a fraction from 0 to below 1, such as 0.1."),
        Arguments.of(
            "defaults { refresh-ahead-factor = -0.1 }",
            "refresh-ahead-factor of the defaults is -0.1"),
        Arguments.of("defaults { refresh-ahead-factor = late }", "is \"late\"; give a fraction"),
        Arguments.of(
            "defaults { durability = syncc }",
            ": 4: durability of the defaults is \"syncc\"; give one of buffered, periodic, sync."),
        Arguments.of("defaults { statistics = maybe }", "is \"maybe\"; give true or false."),
        Arguments.of(
            "defaults { expiry = 5m }",
            "expiry of the defaults is \"5m\"; give settings in braces."),
        Arguments.of(
            "defaults { expiry { creaton = 5m } }",
            "\"creaton\" of expiry; did you mean \"creation\"?"),
        Arguments.of(
            "defaults { expiry { update = soon } }",
            ": 4: update of expiry is \"soon\"; give a duration, such as 30s or 10 minutes, or"
                + " eternal."),
        Arguments.of("defaults { expiry { update = -5s } }", "update of expiry is \"-5s\""),
        Arguments.of("defaults { listeners = ear }", "give a list of settings"),
        Arguments.of(
            "defaults { listeners = [ { synchronous = true } ] }",
            "say its listener-factory of each."),
        Arguments.of(
            "defaults { listeners = [ { sync = true } ] }",
            "there is no setting \"sync\" of a listener"),
        Arguments.of(
            "caches { c { read-through = true } }",
            ": 4: read-through of cache \"c\" is true; say loader-factory, too."),
        Arguments.of(
            "defaults { key-type = [1] }", "key-type of the defaults is [1]; give a text."),
        Arguments.of("defaults { hot-size = ${nowhere} }", "nowhere"),
        Arguments.of("defaults {", "cannot be read"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aMistakeIsAnErrorThatSaysWhereAndWhatIsRight(String lines, String message) {
    assertThatThrownBy(() -> manager(lines))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("caches.conf")
        .hasMessageContaining(message);
    assertThat(directory.resolve("store")).doesNotExist();
  }

  static Stream<Arguments> wrongClasses() {
    return Stream.of(
        Arguments.of("value-type = com.acme.Nothing", "there is no such class"),
        Arguments.of(
            "loader-factory = java.lang.String",
            "give a class that is a javax.cache.integration.CacheLoader, or a Factory of them."),
        Arguments.of("key-codec = java.lang.String", "io.rockpool.codec.Codec"),
        Arguments.of(
            "listeners = [{ listener-factory = java.lang.String }]", "CacheEntryListener"));
  }

  @ParameterizedTest
  @MethodSource("wrongClasses")
  void aWrongClassIsAnErrorOfItsCacheAlone(String setting, String message) {
    CacheManager manager = manager("caches { good {}, bad { " + setting + " } }");
    assertThat(manager.<Object, Object>getCache("good")).isNotNull();
    assertThatThrownBy(() -> manager.getCache("bad"))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("caches.conf: 4: ")
        .hasMessageContaining(message);
  }

  static final class NeedyLoader implements CacheLoader<Object, Object> {
    @SuppressWarnings("unused") // there to be in the way
    NeedyLoader(String need) {}

    @Override
    public Object load(Object key) {
      return key;
    }

    @Override
    public Map<Object, Object> loadAll(Iterable<?> keys) {
      return Map.of();
    }
  }

  @Test
  void aClassThatCannotBeMadeLeavesNothingBehind() {
    CacheManager manager =
        manager("caches { c { loader-factory = \"" + NeedyLoader.class.getName() + "\" } }");
    assertThatThrownBy(() -> manager.getCache("c"))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("NeedyLoader")
        .hasMessageContaining("a constructor without parameters");
    assertThat(manager.unwrap(Rockpool.class).names().find("c")).isEmpty();
  }

  @Test
  void aFileThatIsNotThereIsAnError() {
    URI missing = directory.resolve("none.conf").toUri();
    assertThatThrownBy(() -> provider.getCacheManager(missing, null))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("none.conf");
    assertThatThrownBy(() -> provider.getCacheManager(URI.create("classpath:none.conf"), null))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("none.conf");
    assertThatThrownBy(() -> provider.getCacheManager(URI.create("nothing:none.conf"), null))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("file:/etc/shop/caches.conf");
  }
}
