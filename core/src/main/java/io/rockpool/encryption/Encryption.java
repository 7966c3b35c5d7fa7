package io.rockpool.encryption;

import io.rockpool.engine.SpaceName;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which names of a store are encrypted, and where the keys are. Immutable. Equal if the provider
 * and all options are.
 *
 * <pre>{@code
 * Encryption encryption = Encryption.with(KeyProviders.file(keys)).except("public");
 * try (Rockpool pool = Rockpool.at(directory).encryption(encryption).open()) {
 *   pool.map("customers", String.class, Customer.class).put("c-1", customer);
 * }
 * }</pre>
 *
 * <p>Values are encrypted with AES-256-GCM. Names, keys, sort keys, scores, sizes and times are
 * not; {@link #hidingKeys} encrypts keys that are not sorted. It is decided when a name is created,
 * and stays so: a name that is there already, or is renamed, remains what it is.
 *
 * @param provider has the master keys
 * @param covered the levels whose names are encrypted; the empty level is that of all names
 * @param excepted the levels among them whose names are not
 * @param hidden the levels whose names have encrypted keys; see {@link #hidingKeys}
 * @param keyFile where the keys of the names are, if not in the store; see {@link #keysIn}
 */
public record Encryption(
    KeyProvider provider,
    List<String> covered,
    List<String> excepted,
    List<String> hidden,
    @Nullable Path keyFile) {
  /** Checks the levels. */
  public Encryption {
    Objects.requireNonNull(provider, "provider");
    covered = List.copyOf(covered);
    excepted = List.copyOf(excepted);
    hidden = List.copyOf(hidden);
    covered.forEach(SpaceName::checkLevel);
    excepted.forEach(SpaceName::checkLevel);
    hidden.forEach(SpaceName::checkLevel);
    for (String level : hidden) {
      if (!isSomeEncrypted(level, covered, excepted)) {
        throw new IllegalArgumentException(
            "hidingKeys(\""
                + level
                + "\") hides no keys, because no name there is encrypted: only"
                + covered
                + ", except"
                + excepted
                + ". Encrypt names there, or leave the level out of hidingKeys.");
      }
    }
  }

  /** Whether some name at or below a level is encrypted. */
  private static boolean isSomeEncrypted(
      String level, List<String> covered, List<String> excepted) {
    return covered.stream()
        .filter(each -> SpaceName.isWithin(level, each) || SpaceName.isWithin(each, level))
        .map(each -> SpaceName.isWithin(level, each) ? level : each)
        .anyMatch(each -> !isWithin(each, excepted));
  }

  /** Encrypts every name that is created. */
  public static Encryption with(KeyProvider provider) {
    return new Encryption(provider, List.of(""), List.of(), List.of(), null);
  }

  /** The same, but encrypts only the names at and below some levels. */
  public Encryption only(String... levels) {
    return new Encryption(provider, List.of(levels), excepted, hidden, keyFile);
  }

  /** The same, but does not encrypt the names at and below some levels. */
  public Encryption except(String... levels) {
    return new Encryption(provider, covered, List.of(levels), hidden, keyFile);
  }

  /**
   * The same, but keeps the wrapped keys of the names in a file outside of the store, and so
   * outside of its backups. Then nothing can read a dropped name in any backup. But a backup is
   * useless without this file: keep copies of it, and not longer than what is dropped may be read.
   * Opening a store that has had a file throws an {@link io.rockpool.error.EncryptionKeyException}
   * if the file is missing or another store's. A temporary store keeps its keys inside. An engine
   * that several processes share cannot be opened so.
   *
   * @param file of this store alone, not in its directory; created with the first keys. A store
   *     that is open for writing locks {@code file.lock}: opening another one with the file throws
   *     a {@link io.rockpool.error.StoreLockedException}
   */
  public Encryption keysIn(Path file) {
    return new Encryption(
        provider, covered, excepted, hidden, Objects.requireNonNull(file, "file").toAbsolutePath());
  }

  /**
   * The same, but encrypts the keys of new names at and below some levels, too: those of caches,
   * maps and sets, and the row keys of tables. Equal keys of a name have equal ciphertexts, so that
   * a key can be found. So the files show which records have the same key as before, the lengths of
   * keys, and 4 bits of a hash of each element's key. A key is 16 bytes longer, and takes about 0.3
   * µs of CPU time more. Rotation of keys keeps the key that encrypts keys, and a copy of a name
   * shares it.
   *
   * <p>Creating a sorted map, sorted set, scored set, queue or timer there throws an {@link
   * UnsupportedOperationException}: they are stored in the order of their keys.
   *
   * @param levels names, levels above them, or the empty level for all names
   * @throws IllegalArgumentException if no name at or below one of the levels is encrypted; {@link
   *     #only} and {@link #except} check that, too
   */
  public Encryption hidingKeys(String... levels) {
    return new Encryption(provider, covered, excepted, List.of(levels), keyFile);
  }

  /** Whether the keys of a name are encrypted when it is created. */
  public boolean hidesKeys(String name) {
    return covers(name) && isWithin(name, hidden);
  }

  /** Whether a name is encrypted when it is created. */
  public boolean covers(String name) {
    return isWithin(name, covered) && !isWithin(name, excepted);
  }

  private static boolean isWithin(String name, List<String> levels) {
    return levels.stream().anyMatch(level -> SpaceName.isWithin(name, level));
  }
}
