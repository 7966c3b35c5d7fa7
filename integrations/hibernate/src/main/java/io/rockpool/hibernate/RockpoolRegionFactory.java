package io.rockpool.hibernate;

import io.rockpool.jcache.RockpoolCachingProvider;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.hibernate.boot.spi.SessionFactoryOptions;
import org.hibernate.cache.cfg.spi.DomainDataRegionBuildingContext;
import org.hibernate.cache.cfg.spi.DomainDataRegionConfig;
import org.hibernate.cache.jcache.ConfigSettings;
import org.hibernate.cache.jcache.MissingCacheStrategy;
import org.hibernate.cache.jcache.internal.JCacheRegionFactory;
import org.hibernate.cache.spi.CacheKeysFactory;
import org.hibernate.cache.spi.support.DomainDataStorageAccess;
import org.hibernate.cache.spi.support.RegionNameQualifier;
import org.hibernate.cache.spi.support.StorageAccess;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.jspecify.annotations.Nullable;

/**
 * Hibernate's regions as JCaches of Rockpool, which outlive the application. Set {@code
 * hibernate.cache.region.factory_class=rockpool}.
 *
 * <p>Hibernate keeps the attributes of an entity by their positions. So a region has a version: a
 * hash of Hibernate's version and of the attributes of its entities and collections, with their
 * types, columns and order. A region of another version is cleared when it opens, in constant time
 * and before it is read. The other regions keep their entries. Regions of query results depend on
 * all entities.
 *
 * <p>By default the provider is {@link RockpoolCachingProvider}, and regions without a
 * configuration are created. Every setting of {@link JCacheRegionFactory} has its effect.
 */
public final class RockpoolRegionFactory extends JCacheRegionFactory {
  private static final long serialVersionUID = 1L;

  /** The property of Rockpool's manager for the version of a cache, in front of its name. */
  private static final String VERSION_OF = "rockpool.version.";

  private transient @Nullable MappingVersions versions;

  /** Called by Hibernate. */
  public RockpoolRegionFactory() {}

  /** Called by Hibernate, with the strategy of {@code hibernate.cache.keys_factory}. */
  public RockpoolRegionFactory(CacheKeysFactory keys) {
    super(keys);
  }

  /** Takes the mapping of the session factory that is being built. */
  void use(MappingVersions mapping) {
    versions = mapping;
  }

  @Override
  protected void prepareForUse(SessionFactoryOptions options, Map<String, Object> settings) {
    Map<String, Object> all = new HashMap<>(settings);
    all.putIfAbsent(ConfigSettings.PROVIDER, RockpoolCachingProvider.class.getName());
    all.putIfAbsent(
        ConfigSettings.MISSING_CACHE_STRATEGY,
        MissingCacheStrategy.CREATE.getExternalRepresentation());
    super.prepareForUse(options, all);
  }

  @Override
  protected DomainDataStorageAccess createDomainDataStorageAccess(
      DomainDataRegionConfig region, DomainDataRegionBuildingContext context) {
    MappingVersions mapping = versions;
    if (mapping != null) {
      version(region.getRegionName(), mapping.of(region), context.getSessionFactory());
    }
    return super.createDomainDataStorageAccess(region, context);
  }

  @Override
  protected StorageAccess createQueryResultsRegionStorageAccess(
      String region, SessionFactoryImplementor factory) {
    MappingVersions mapping = versions;
    if (mapping != null) {
      version(region, mapping.ofQueries(), factory);
      // A cache of an old name may be there, and is then used in place of the default region.
      LEGACY_QUERY_RESULTS_REGION_UNQUALIFIED_NAMES.forEach(
          legacy -> version(legacy, mapping.ofQueries(), factory));
    }
    return super.createQueryResultsRegionStorageAccess(region, factory);
  }

  /** Sets the version of a region that is about to be opened. */
  private void version(String region, String version, SessionFactoryImplementor factory) {
    String name = RegionNameQualifier.INSTANCE.qualify(region, factory.getSessionFactoryOptions());
    Properties properties = getCacheManager().getProperties();
    if (properties != null) { // that of another provider may have none
      properties.setProperty(VERSION_OF + name, version);
    }
  }
}
