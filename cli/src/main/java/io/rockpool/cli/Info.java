package io.rockpool.cli;

import io.rockpool.Description;
import io.rockpool.Rockpool;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.encryption.EncryptedEngine;
import io.rockpool.internal.format.MarkerFormat;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code info}: what is known of a store, or of a name in it. */
@Command(name = "info", description = "Shows what is known of a store, or of a name in it.")
final class Info extends StoreVerb {
  @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "A name in it.")
  @Nullable String name;

  @Override
  public Integer call() throws IOException {
    try (Rockpool pool = read()) {
      output().print(name == null ? ofStore(pool) : ofName(pool, NameVerb.described(pool, name)));
      return RockpoolCommand.DONE;
    }
  }

  private java.util.Map<String, Object> ofStore(Rockpool pool) throws IOException {
    String text = pool.directory().isEmpty() ? null : marker(directory());
    return Output.row(
        "directory",
            pool.directory().isEmpty() ? null : directory().toAbsolutePath().normalize().toString(),
        "format", text == null ? null : MarkerFormat.VERSION,
        "readable by", text == null ? null : MarkerFormat.openableBy(text, false),
        "writable by", text == null ? null : MarkerFormat.openableBy(text, true),
        "names", pool.names().list().size(),
        "bytes", pool.state().diskBytes(),
        "last verified backup",
            pool.state()
                .statistics()
                .flatMap(statistics -> statistics.verifiedBackup())
                .map(Object::toString)
                .orElse(null),
        "lost changes", pool.state().recovery().map(report -> report.changesLost()).orElse(null),
        "state", pool.state().recovery().map(report -> report.message()).orElse(null));
  }

  private static @Nullable String marker(Path store) throws IOException {
    Path marker = store.resolve(StoreDirectory.MARKER);
    return Files.isRegularFile(marker) ? Files.readString(marker) : null;
  }

  /** What is known of a name. */
  static java.util.Map<String, Object> ofName(Rockpool pool, Description name) {
    return Output.row(
        "name", name.name(),
        "type", name.type(),
        "key type", name.keyType(),
        "key codec", name.keyCodec(),
        "value type", name.valueType().orElse(null),
        "value codec", name.valueCodec().orElse(null),
        "bytes", name.diskBytes().isPresent() ? name.diskBytes().getAsLong() : null,
        "encrypted", encrypted(pool, name.name()),
        "resets", name.resets(),
        "created", name.created().toString(),
        "expires", name.expires().map(Object::toString).orElse(null),
        "opened", name.lastAccess().toString(),
        "options", name.options().isEmpty() ? null : name.options());
  }

  /** What of a name is encrypted; null if nothing is. */
  private static @Nullable String encrypted(Rockpool pool, String name) {
    if (!(Internals.store(pool).engine() instanceof EncryptedEngine engine)
        || !engine.isEncrypted(name)) {
      return null;
    }
    return engine.hidesKeys(name) ? "values and keys" : "values";
  }
}
