package io.rockpool.hibernate;

import org.hibernate.boot.SessionFactoryBuilder;
import org.hibernate.boot.spi.MetadataImplementor;
import org.hibernate.boot.spi.SessionFactoryBuilderFactory;
import org.hibernate.boot.spi.SessionFactoryBuilderImplementor;
import org.hibernate.cache.spi.RegionFactory;
import org.jspecify.annotations.Nullable;

/**
 * Gives the region factory the mapping. Hibernate finds this as a service, and calls it before it
 * builds a session factory: an {@code Integrator} would come after the region of query results.
 */
public final class MappingReader implements SessionFactoryBuilderFactory {
  /** Called by the service loader. */
  public MappingReader() {}

  /** Returns null: the builder stays as it is. */
  @Override
  public @Nullable SessionFactoryBuilder getSessionFactoryBuilder(
      MetadataImplementor metadata, SessionFactoryBuilderImplementor builder) {
    if (metadata.getMetadataBuildingOptions().getServiceRegistry().getService(RegionFactory.class)
        instanceof RockpoolRegionFactory regions) {
      regions.use(new MappingVersions(metadata));
    }
    return null;
  }
}
