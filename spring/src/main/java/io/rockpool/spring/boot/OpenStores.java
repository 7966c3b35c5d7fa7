package io.rockpool.spring.boot;

import io.rockpool.Rockpool;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** The store beans of an application, for who watches them: looking does not open them. */
record OpenStores(ConfigurableListableBeanFactory beans) {
  /** The names of the beans, open or not. */
  List<String> names() {
    return List.of(beans.getBeanNamesForType(Rockpool.class, false, false));
  }

  /** The store of a name; null as long as nothing has asked for it. */
  @Nullable Rockpool store(String name) {
    return beans.getSingleton(name) instanceof Rockpool pool ? pool : null;
  }

  /** The first store that has been asked for; null if none has. */
  @Nullable Rockpool first() {
    for (String name : names()) {
      Rockpool pool = store(name);
      if (pool != null) {
        return pool;
      }
    }
    return null;
  }
}
