package io.rockpool.jcache;

import java.util.function.Supplier;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.management.CacheMXBean;

/** A cache's configuration, for management consoles. */
record ConfigurationBean(Supplier<CompleteConfiguration<?, ?>> configuration)
    implements CacheMXBean {
  @Override
  public String getKeyType() {
    return configuration.get().getKeyType().getName();
  }

  @Override
  public String getValueType() {
    return configuration.get().getValueType().getName();
  }

  @Override
  public boolean isReadThrough() {
    return configuration.get().isReadThrough();
  }

  @Override
  public boolean isWriteThrough() {
    return configuration.get().isWriteThrough();
  }

  @Override
  public boolean isStoreByValue() {
    return configuration.get().isStoreByValue();
  }

  @Override
  public boolean isStatisticsEnabled() {
    return configuration.get().isStatisticsEnabled();
  }

  @Override
  public boolean isManagementEnabled() {
    return configuration.get().isManagementEnabled();
  }
}
