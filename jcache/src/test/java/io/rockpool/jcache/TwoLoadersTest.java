package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two applications in one process, each with its own copy of the same classes, on one store. */
class TwoLoadersTest extends JCacheTest {
  /** Defines the two records anew instead of taking its parent's. */
  private static final class Application extends ClassLoader {
    private static final Set<String> TWICE =
        Set.of(Parcel.class.getName(), ParcelId.class.getName());

    Application() {
      super(Parcel.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        if (!TWICE.contains(name)) {
          return super.loadClass(name, resolve);
        }
        Class<?> known = findLoadedClass(name);
        return known != null ? known : define(name);
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = Objects.requireNonNull(in).readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }

    @SuppressWarnings("unchecked")
    Class<Object> parcel() throws ClassNotFoundException {
      return (Class<Object>) loadClass(Parcel.class.getName());
    }

    @SuppressWarnings("unchecked")
    Class<Object> parcelId() throws ClassNotFoundException {
      return (Class<Object>) loadClass(ParcelId.class.getName());
    }

    Object newParcel(String to, int grams) throws ReflectiveOperationException {
      return parcel().getConstructor(String.class, int.class).newInstance(to, grams);
    }

    Object newParcelId(String office, long number) throws ReflectiveOperationException {
      return parcelId().getConstructor(String.class, long.class).newInstance(office, number);
    }

    MutableConfiguration<Object, Object> configuration() throws ClassNotFoundException {
      return new MutableConfiguration<>().setTypes(parcelId(), parcel());
    }
  }

  private final Application left = new Application();
  private final Application right = new Application();
  private Cache<Object, Object> leftCache;
  private Cache<Object, Object> rightCache;

  @BeforeEach
  void open() throws Exception {
    assertThat(left.parcel()).isNotSameAs(right.parcel()).isNotSameAs(Parcel.class);
    leftCache = provider.getCacheManager(uri(), left).createCache("parcels", left.configuration());
    rightCache =
        provider.getCacheManager(uri(), right).createCache("parcels", right.configuration());
  }

  @Test
  void eachReadsWhatTheOtherWroteAsItsOwn() throws Exception {
    leftCache.put(left.newParcelId("Berne", 7), left.newParcel("Ann", 300));
    assertThat(rightCache.get(right.newParcelId("Berne", 7)))
        .isEqualTo(right.newParcel("Ann", 300))
        .isInstanceOf(right.parcel());
    assertThat(rightCache.iterator().next().getKey()).isEqualTo(right.newParcelId("Berne", 7));

    rightCache.replace(
        right.newParcelId("Berne", 7), right.newParcel("Ann", 300), right.newParcel("Bob", 1));
    assertThat(leftCache.get(left.newParcelId("Berne", 7))).isEqualTo(left.newParcel("Bob", 1));
    leftCache.clear();
    assertThat(rightCache.containsKey(right.newParcelId("Berne", 7))).isFalse();
  }

  @Test
  void anInstanceOfTheOtherLoaderIsRefused() {
    assertThatThrownBy(() -> leftCache.put(left.newParcelId("Berne", 7), right.newParcel("Ann", 1)))
        .isInstanceOf(ClassCastException.class);
    assertThat(leftCache).isEmpty();
  }

  @Test
  void eachFindsItsTypesAfterARestart() throws Exception {
    leftCache.put(left.newParcelId("Berne", 7), left.newParcel("Ann", 300));
    provider.close();
    Cache<Object, Object> found = provider.getCacheManager(uri(), right).getCache("parcels");
    assertThat(found.get(right.newParcelId("Berne", 7))).isEqualTo(right.newParcel("Ann", 300));
  }

  @Test
  void aLoaderWithoutTheTypesSaysSo() {
    provider.close();
    ClassLoader without = ClassLoader.getPlatformClassLoader();
    assertThatThrownBy(() -> provider.getCacheManager(uri(), without).getCache("parcels"))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("not known to the manager's class loader");
  }
}
