package io.rockpool.cache;

import io.rockpool.Rockpool;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.StoreExtension;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A test that runs on each {@link CacheSetup}, with a store that is open during each method. */
@ParameterizedClass
@EnumSource
abstract class OnEverySetup {
  @Parameter CacheSetup setup;
  final FakeClock clock = new FakeClock();

  @RegisterExtension
  final StoreExtension<Rockpool> store =
      new StoreExtension<>(directory -> setup.open(directory, clock));

  Rockpool pool;

  @BeforeEach
  final void findPool() {
    pool = store.get();
  }

  /** Closes the store and opens it again; caches have to be opened anew. */
  final void reopen() throws Exception {
    pool = store.reopen();
  }
}
