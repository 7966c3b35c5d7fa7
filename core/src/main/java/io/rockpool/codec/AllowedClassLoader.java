package io.rockpool.codec;

import io.rockpool.error.StoreClosedException;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.fory.serializer.UnknownClass;
import org.jspecify.annotations.Nullable;

/**
 * The class loader for Fory, which loads allowed classes only. For Fory, other classes do not
 * exist: it skips their objects in components that a record has lost.
 */
final class AllowedClassLoader extends ClassLoader {
  /** Fory asks for an array of this class if a lost field had an array of an enum. */
  private static final Class<?> UNKNOWN_ENUM = UnknownClass.UnknownEnum.class;

  private final AllowedClasses allowed;
  private volatile @Nullable String refusal;

  /** The names that were not allowed. Fory asks once for each. */
  private final Set<String> refused = ConcurrentHashMap.newKeySet();

  /** The classes of one instance that were found. Fory must know of them before it reads one. */
  private final Set<Class<?>> singletons = ConcurrentHashMap.newKeySet();

  AllowedClassLoader(AllowedClasses allowed) {
    super(null);
    this.allowed = allowed;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) {
    if (name.equals(UNKNOWN_ENUM.getName())) {
      return UNKNOWN_ENUM;
    }
    Class<?> type;
    try {
      type = allowed.load(name);
    } catch (ClassNotFoundException e) {
      refusal = "There is no class " + name + " here (any more).";
      throw new RefusedClassException(name, refusal, e);
    } catch (StoreClosedException e) {
      // Fory and the JDK's streams take an IllegalStateException for a class that is not here.
      throw new CompletionException(e);
    }
    if (type == null) {
      refusal = allowed.refusal(name);
      refused.add(name);
      // Not a ClassNotFoundException: on that, Fory asks the thread's own class loader.
      throw new RefusedClassException(name, refusal, null);
    }
    if (Singletons.of(type) != null) {
      singletons.add(type);
    }
    return type;
  }

  /** Returns whether a class that was refused has been learned since, by any process. */
  boolean refusedOneLearnedSince() {
    for (String name : refused) {
      if (allowed.isLearned(name)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the classes of one instance that were found so far. */
  Set<Class<?>> singletons() {
    return singletons;
  }

  /** Returns the message for the class that was refused last, or null. */
  @Nullable String lastRefusal() {
    return refusal;
  }
}
