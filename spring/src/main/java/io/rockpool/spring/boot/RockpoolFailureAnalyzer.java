package io.rockpool.spring.boot;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.EncryptionKeyException;
import io.rockpool.error.EngineNotFoundException;
import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.error.FormatVersionException;
import io.rockpool.error.NameConflictException;
import io.rockpool.error.NativeLibraryException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.error.StoreIoException;
import io.rockpool.error.StoreLockedException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says what to do where an application does not start because of its store. {@link
 * InvalidPropertyAnalyzer} reports mistakes in properties.
 */
final class RockpoolFailureAnalyzer extends AbstractFailureAnalyzer<RockpoolException> {
  @Override
  protected @Nullable FailureAnalysis analyze(Throwable rootFailure, RockpoolException cause) {
    String action = action(cause);
    return action == null
        ? null
        : new FailureAnalysis(String.valueOf(cause.getMessage()), action, cause);
  }

  private static @Nullable String action(RockpoolException cause) {
    if (cause instanceof StoreLockedException locked) {
      return lockedAction(locked);
    }
    if (cause instanceof BootVersionCheck.UnsupportedBootException) {
      return "Use Spring Boot 4.1 or later; or, with Spring Boot 3, the dependency rockpool-jcache"
          + " in place of rockpool-spring, with spring.cache.type=jcache.";
    }
    if (cause instanceof FormatVersionException) {
      return "Start the application with the version of Rockpool that wrote the store, or a newer"
          + " one; or set rockpool.directory to another directory, to begin with an empty store.";
    }
    if (cause instanceof CorruptStoreException) {
      return "Restore the directory from a copy. If all that it holds are caches, move what is in"
          + " it away instead: the application then begins with an empty store. With"
          + " rockpool.on-corruption=quarantine that is done without you, unless the directory is a"
          + " mount point.";
    }
    if (cause instanceof ForeignDirectoryException) {
      return "Set rockpool.directory to an empty or missing directory, or to one that holds a"
          + " Rockpool store.";
    }
    if (cause instanceof EncryptionKeyException key) {
      return "Give the master key"
          + key.keyId().map(id -> " \"" + id + "\"").orElse("s")
          + " with rockpool.encryption.key-file, .environment or .pkcs12, or with a bean of type"
          + " KeyProvider. Older stores and backups need the master keys that they were written"
          + " with, beside the current one.";
    }
    if (cause instanceof NameConflictException) {
      return "Give the cache another name, or put something in front of its name in the store with"
          + " rockpool.caches.<name>.key-prefix.";
    }
    if (cause instanceof EngineNotFoundException) {
      return "Add the artifact of the engine to the dependencies, or correct rockpool.uri.";
    }
    if (cause instanceof ServerUnavailableException) {
      return "Start the server of the store, and check rockpool.uri or the properties of Spring"
          + " Boot for its connection.";
    }
    if (cause instanceof NativeLibraryException) {
      return "Run on Linux (glibc or musl), macOS or Windows with a common processor, with the"
          + " complete rocksdbjni jar on the class path and a temporary directory that programs"
          + " may be run from (-Djava.io.tmpdir).";
    }
    return cause instanceof StoreIoException
        ? "Check that the directory of rockpool.directory exists or can be created, and that this"
            + " user may read and write it."
        : null;
  }

  private static String lockedAction(StoreLockedException locked) {
    boolean here = locked.pid().orElse(-1) == ProcessHandle.current().pid();
    return (locked.pid().isPresent() && !here
            ? "Stop process " + locked.pid().getAsLong()
            : "Close the store there")
        + "; wait for it longer with rockpool.lock-wait; or set rockpool.directory to a directory"
        + " of this application's own, or to \"temporary\". With rockpool.when-locked=temporary the"
        + " application starts with an empty temporary store instead.";
  }
}
