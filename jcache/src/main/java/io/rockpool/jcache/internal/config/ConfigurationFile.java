package io.rockpool.jcache.internal.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigResolveOptions;
import io.rockpool.WhenLocked;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/**
 * What a file says of a manager's caches, in HOCON: the file that the manager's URI names, or else
 * {@code application.conf} and {@code reference.conf} on the class path. System properties of the
 * same names go before either. All of it is checked when it is read, but for the classes it names,
 * which may be those of other applications.
 */
public final class ConfigurationFile {
  private static final String ROOT = "rockpool.jcache";
  public static final String CLASS_PATH = "classpath";
  private static final String SUFFIX = ".conf";
  private static final Pattern SUBSTITUTION = Pattern.compile("\\$\\{[^}]*\\}");
  private static final String DEFAULTS = "defaults";
  private static final String CACHES = "caches";
  private static final String DIRECTORY = "directory";
  private static final String URI = "uri";
  private static final String LOCK_WAIT = "lock-wait";
  private static final String WHEN_LOCKED = "when-locked";
  private static final String ALLOW = "allow";
  private static final String STRICT = "strict";
  private static final String ENCRYPTION = "encryption";
  private static final Set<String> KEYS =
      Set.of(DEFAULTS, CACHES, DIRECTORY, URI, LOCK_WAIT, WHEN_LOCKED, ALLOW, STRICT, ENCRYPTION);

  private final @Nullable String directory;
  private final @Nullable String uri;
  private final @Nullable Duration lockWait;
  private final @Nullable WhenLocked whenLocked;
  private final List<String> allow;
  private final boolean strict;
  private final @Nullable Config encryption;
  private final CacheSection template;
  private final Map<String, CacheSection> caches = new LinkedHashMap<>();

  private ConfigurationFile(Config config) {
    Section root = new Section(ROOT, config, KEYS);
    this.directory = root.text(DIRECTORY);
    this.uri = root.text(URI);
    this.lockWait = root.duration(LOCK_WAIT);
    this.whenLocked = root.choice(WHEN_LOCKED, WhenLocked.class);
    this.allow = root.texts(ALLOW);
    this.strict = Boolean.TRUE.equals(root.flag(STRICT));
    this.encryption = root.object(ENCRYPTION);
    EncryptionSection unused = EncryptionSection.of(encryption, new Properties()); // checks it
    Config defaults = root.object(DEFAULTS);
    Config others = defaults == null ? ConfigFactory.empty() : defaults;
    this.template = CacheSection.of("the defaults", others);
    Config named = root.object(CACHES);
    if (named != null) {
      Section all = new Section(CACHES, named, named.root().keySet());
      for (String name : named.root().keySet()) {
        Config own = all.object(name);
        caches.put(
            name,
            CacheSection.of(
                "cache \"" + name + "\"", own == null ? ConfigFactory.empty() : own, others));
      }
    }
  }

  /** Whether a manager's URI names a file, and not the directory of a store. */
  public static boolean isNamedBy(URI uri) {
    return uri.getScheme() != null
        && !uri.getScheme().equalsIgnoreCase(StoreLocation.SCHEME)
        && !StoreLocation.isOnServer(uri)
        && uri.getSchemeSpecificPart().endsWith(SUFFIX);
  }

  /**
   * The file that goes with a manager's URI.
   *
   * @throws CacheException if it cannot be read, or says what it should not
   */
  public static ConfigurationFile of(URI uri, ClassLoader loader) {
    return isNamedBy(uri) ? at(uri, loader) : onClassPath(loader);
  }

  /** What is on the class path; it may well be nothing. */
  public static ConfigurationFile onClassPath(ClassLoader loader) {
    return read(
        "The configuration on the class path",
        () ->
            ConfigFactory.defaultApplication(ConfigParseOptions.defaults().setClassLoader(loader))
                .withFallback(ConfigFactory.parseResources(loader, "reference.conf")));
  }

  private static ConfigurationFile at(URI uri, ClassLoader loader) {
    URL url = url(uri, loader);
    ConfigParseOptions options =
        ConfigParseOptions.defaults().setAllowMissing(false).setClassLoader(loader);
    return read(
        "The configuration file " + uri,
        () -> {
          Config said = ConfigFactory.parseURL(url, options);
          if (!said.hasPath(ROOT)) {
            throw new CacheException(
                "The configuration file " + uri + " has no " + ROOT + nearestRoot(said));
          }
          return said;
        });
  }

  /** What may have been meant to be the root. */
  private static String nearestRoot(Config said) {
    Set<String> roots = new TreeSet<>();
    said.root()
        .forEach(
            (outer, value) -> {
              roots.add(outer);
              if (value instanceof ConfigObject inner) {
                inner.keySet().forEach(it -> roots.add(outer + '.' + it));
              }
            });
    return Suggestion.to(ROOT, roots)
        .map(it -> "; is \"" + it + "\" meant to be that?")
        .orElse(".");
  }

  private static URL url(URI uri, ClassLoader loader) {
    if (CLASS_PATH.equalsIgnoreCase(uri.getScheme())) {
      URL found = loader.getResource(uri.getSchemeSpecificPart().replaceFirst("^/+", ""));
      if (found == null) {
        throw new CacheException(
            "There is no " + uri.getSchemeSpecificPart() + " on the class path of " + loader + ".");
      }
      return found;
    }
    try {
      return uri.toURL();
    } catch (MalformedURLException | IllegalArgumentException e) {
      throw new CacheException(
          "The URI \"" + uri + "\" can be no file's; write it as in file:/etc/shop/caches.conf.",
          e);
    }
  }

  private interface Parsing {
    Config parse();
  }

  private static ConfigurationFile read(String what, Parsing parsing) {
    try {
      Config all =
          systemProperties()
              .withFallback(parsing.parse())
              // What others have on the class path need not resolve.
              .resolve(ConfigResolveOptions.defaults().setAllowUnresolved(true));
      return new ConfigurationFile(all.hasPath(ROOT) ? all.getConfig(ROOT) : ConfigFactory.empty());
    } catch (ConfigException.NotResolved e) {
      // Neither the text nor the cause is shown: they may have a part of a password.
      throw new CacheException(
          what
              + " has a substitution without a value"
              + SUBSTITUTION
                  .matcher(String.valueOf(e.getMessage()))
                  .results()
                  .map(MatchResult::group)
                  .findFirst()
                  .map(it -> ": " + it)
                  .orElse("")
              + ". Set the environment variable of that name, or that setting.");
    } catch (ConfigException e) {
      throw new CacheException(what + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static Config systemProperties() {
    Properties ours = new Properties();
    System.getProperties().stringPropertyNames().stream()
        .filter(name -> name.startsWith(ROOT + '.'))
        .forEach(name -> ours.setProperty(name, System.getProperty(name)));
    return ConfigFactory.parseProperties(
        ours, ConfigParseOptions.defaults().setOriginDescription("system properties"));
  }

  /** The URI of a store on a server, if the file says it; it precedes the directory. */
  public @Nullable String uri() {
    return uri;
  }

  /** The directory of the store, if the file says it. */
  public @Nullable String directory() {
    return directory;
  }

  /** How long another process that has the store open is waited for, if the file says it. */
  public @Nullable Duration lockWait() {
    return lockWait;
  }

  /** What is done when that wait is over, if the file says it. */
  public @Nullable WhenLocked whenLocked() {
    return whenLocked;
  }

  /** Its settings of an encryption, or null. */
  @Nullable Config encryption() {
    return encryption;
  }

  /** The classes and packages that it allows to be stored. */
  public List<String> allow() {
    return allow;
  }

  /** Whether it wants only allowed classes to be stored. */
  public boolean isStrict() {
    return strict;
  }

  /** A duration in the way of these files, such as {@code 30s}. */
  public static Duration duration(String text) {
    Section section =
        new Section("a duration", ConfigFactory.parseMap(Map.of("it", text)), Set.of("it"));
    return Objects.requireNonNull(section.duration("it"));
  }

  /** What it says of caches that it does not name. */
  public CacheSection template() {
    return template;
  }

  /** The names of the caches it describes. */
  public Set<String> names() {
    return caches.keySet();
  }

  /** What it says of a cache that it names; null of another. */
  public @Nullable CacheSection cache(String name) {
    return caches.get(name);
  }

  /** What it says of a cache, named or not. */
  public CacheSection cacheOrDefault(String name) {
    return caches.getOrDefault(name, template);
  }
}
