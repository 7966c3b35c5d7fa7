package io.rockpool.quarkus.internal.deployment;

import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.arc.deployment.UnremovableBeanBuildItem;
import io.quarkus.cache.deployment.CacheManagerInfoBuildItem;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.annotations.ExecutionTime;
import io.quarkus.deployment.annotations.Record;
import io.quarkus.deployment.builditem.CombinedIndexBuildItem;
import io.quarkus.deployment.builditem.FeatureBuildItem;
import io.quarkus.smallrye.health.deployment.spi.HealthBuildItem;
import io.rockpool.Rockpool;
import io.rockpool.quarkus.internal.CacheRecorder;
import io.rockpool.quarkus.internal.StoreProducer;

/** What the extension adds to an application. */
final class RockpoolProcessor {
  @BuildStep
  FeatureBuildItem feature() {
    return new FeatureBuildItem("rockpool");
  }

  @BuildStep
  @Record(ExecutionTime.RUNTIME_INIT)
  CacheManagerInfoBuildItem caches(CacheRecorder recorder, CombinedIndexBuildItem index) {
    return new CacheManagerInfoBuildItem(recorder.caches(ResultTypes.of(index.getIndex())));
  }

  @BuildStep
  AdditionalBeanBuildItem store() {
    return AdditionalBeanBuildItem.unremovableOf(StoreProducer.class);
  }

  /** Caches look for it when they are opened. */
  @BuildStep
  UnremovableBeanBuildItem storeOfTheApplication() {
    return UnremovableBeanBuildItem.beanTypes(Rockpool.class);
  }

  @BuildStep
  HealthBuildItem health(BuildConfig config) {
    return new HealthBuildItem(
        "io.rockpool.quarkus.internal.StoreHealth", config.health().enabled());
  }
}
