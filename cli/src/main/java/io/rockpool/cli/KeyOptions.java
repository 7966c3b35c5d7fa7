package io.rockpool.cli;

import io.rockpool.RockpoolBuilder;
import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.KeyProviders;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The keys of an encrypted store. */
final class KeyOptions {
  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      defaultValue = "${env:ROCKPOOL_KEY_FILE}",
      description = "The master keys of an encrypted store; else $ROCKPOOL_KEY_FILE.")
  @Nullable Path keyFile;

  @Option(
      names = "--data-keys",
      paramLabel = "FILE",
      description = "The keys of names, if the store has them in a file outside of it.")
  @Nullable Path dataKeys;

  /** Adds the keys to the options of a store; does nothing if none were given. */
  RockpoolBuilder addTo(RockpoolBuilder builder) {
    return addTo(builder, false);
  }

  /**
   * Adds the keys to the options of a store; does nothing if none were given.
   *
   * @param hidesKeys whether the keys of new names are encrypted, too
   */
  RockpoolBuilder addTo(RockpoolBuilder builder, boolean hidesKeys) {
    if (keyFile == null || !areGiven()) {
      return builder;
    }
    Encryption encryption = Encryption.with(KeyProviders.file(keyFile));
    encryption = hidesKeys ? encryption.hidingKeys("") : encryption;
    return builder.encryption(dataKeys == null ? encryption : encryption.keysIn(dataKeys));
  }

  /** Whether master keys were given. */
  boolean areGiven() {
    return keyFile != null && !keyFile.toString().isEmpty();
  }
}
