package io.rockpool.compatibility;

import java.nio.file.Path;
import javax.cache.CacheManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** What the tests of programs have: a directory, and managers that are closed. */
abstract class ProgramTest {
  @TempDir Path directory;

  final CacheManager open(Provider provider) {
    return provider.open(directory.resolve("store"));
  }

  /** Closes every manager and opens one again, as a restarted process does. */
  final CacheManager restart(Provider provider) {
    provider.close();
    return open(provider);
  }

  @AfterEach
  void closeAll() {
    for (Provider provider : Provider.values()) {
      provider.close();
    }
  }
}
