package io.rockpool.cli;

import io.rockpool.Rockpool;
import io.rockpool.RockpoolBuilder;
import io.rockpool.codec.Codecs;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import java.io.File;
import java.io.PrintWriter;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** A verb with a store: its directory, and the options that all of them have. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
abstract class StoreVerb implements Callable<Integer> {
  /** Little, for a machine whose memory belongs to another process. */
  private static final long MEMORY_BYTES = 32L << 20;

  private static final Pattern URI_FORM = Pattern.compile("[a-z][a-z0-9+]+://");

  /** The part of a file's path that belongs to the copy that was read, not to the store. */
  private static final Pattern COPY =
      Pattern.compile("[/\\\\]copies[/\\\\]rockpool-temporary-[0-9-]*");

  @Spec CommandSpec spec;

  /** The directory of the store; not one if {@link #server} is there. */
  private Path directory;

  private @Nullable URI server;

  @Parameters(
      index = "0",
      paramLabel = "DIR",
      description = "The directory of the store, or the URI of an engine on the class path.")
  final void setStore(String text) {
    try {
      server = isUri(text) ? uri(text) : null;
      directory = RockpoolCommand.path(text);
    } catch (IllegalArgumentException | TypeConversionException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  /** A URI of a server or target. The message for a malformed one shows no password. */
  static URI uri(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(
          "The URI "
              + text.replaceAll("[?#].*", "").replaceFirst("//.*@", "//...@")
              + " cannot be read: "
              + e.getReason()
              + ". Write special characters of the user and password as %XX.");
    }
  }

  /** Whether an argument is the URI of a server, not a path. */
  static boolean isUri(String text) {
    return URI_FORM.matcher(text).lookingAt();
  }

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text (the default), or json: one object a line.")
  Output.Format format;

  @Option(
      names = "--classpath",
      paramLabel = "PATH",
      description = "Jars and directories with the application's classes, to show its values.")
  @Nullable String classpath;

  @Mixin KeyOptions keys;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this and do nothing.")
  boolean help;

  /** The store as it is now, to be read. */
  final Rockpool read() {
    return server == null ? at(false).openCopy() : at(false).open();
  }

  /** The store itself, which no other process may have open. */
  final Rockpool open() {
    if (server == null) {
      StoreDirectory.checkStore(directory); // opening would make one
    }
    return at(false).open();
  }

  /** Opens the store with its keys. */
  private RockpoolBuilder at(boolean hidesKeys) {
    return keys.addTo(
        server == null ? Rockpool.at(directory).memoryBytes(MEMORY_BYTES) : Rockpool.at(server),
        hidesKeys);
  }

  /**
   * The store itself, which is created if there is none.
   *
   * @param hidesKeys whether the keys of new names are encrypted
   */
  final Rockpool openOrCreate(boolean hidesKeys) {
    return at(hidesKeys).codecs(Codecs.builder().classLoader(classes()).build()).open();
  }

  final boolean isOnServer() {
    return server != null;
  }

  /** The directory of the store; refuses a store on a server. */
  final Path directory() {
    if (server != null) {
      throw new IllegalArgumentException(
          "This needs the files of a store; give its directory, not the URI of a server.");
    }
    return directory;
  }

  /** A text about files of the store itself, of which a copy was read. */
  static String withoutCopy(String text) {
    return COPY.matcher(text).replaceAll("");
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  final Output output() {
    return new Output(format, out());
  }

  /** Says something beside the output. */
  final void warn(String text) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("rockpool: " + Output.escaped(text));
    err.flush();
  }

  /** The loader of the classes at hand. */
  final ClassLoader classes() {
    ClassLoader own = StoreVerb.class.getClassLoader();
    if (classpath == null) {
      return own;
    }
    String[] parts = classpath.split(File.pathSeparator, -1);
    URL[] urls = new URL[parts.length];
    try {
      for (int part = 0; part < parts.length; part++) {
        urls[part] = Path.of(parts[part]).toUri().toURL();
      }
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException("The class path " + classpath + " is none: " + e, e);
    }
    return new URLClassLoader(urls, own);
  }
}
