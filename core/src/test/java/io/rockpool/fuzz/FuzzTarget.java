package io.rockpool.fuzz;

import io.rockpool.codec.CodecFuzzTarget;
import io.rockpool.internal.format.FormatFuzzTarget;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What is fuzzed, and the inputs that were found to reach most of it. */
@SuppressWarnings("ImmutableEnumChecker") // its functions are methods of classes
enum FuzzTarget {
  /** Each format of a store's keys and records. */
  FORMATS(FormatFuzzTarget.class, FormatFuzzTarget::fuzzerTestOneInput, FormatFuzzTarget::seeds),
  /** Each codec. */
  CODECS(CodecFuzzTarget.class, CodecFuzzTarget::fuzzerTestOneInput, CodecFuzzTarget::seeds);

  private final Class<?> fuzzed;
  private final Consumer<byte[]> test;
  private final Supplier<List<byte[]>> seeds;

  FuzzTarget(Class<?> fuzzed, Consumer<byte[]> test, Supplier<List<byte[]>> seeds) {
    this.fuzzed = fuzzed;
    this.test = test;
    this.seeds = seeds;
  }

  /** The class whose {@code fuzzerTestOneInput} is called. */
  Class<?> fuzzed() {
    return fuzzed;
  }

  /** Its name in lower case, as that of its corpus. */
  String corpusName() {
    return name().toLowerCase(Locale.ROOT);
  }

  void test(byte[] input) {
    test.accept(input);
  }

  /** What is known to be of each kind, and what was found by fuzzing. */
  List<byte[]> corpus() throws IOException {
    List<byte[]> corpus = new ArrayList<>(seeds.get());
    String resource = "/fuzz/" + corpusName() + ".hex";
    try (InputStream found =
        Objects.requireNonNull(FuzzTarget.class.getResourceAsStream(resource), resource)) {
      new String(found.readAllBytes(), StandardCharsets.US_ASCII)
          .lines()
          .map(HexFormat.of()::parseHex)
          .forEach(corpus::add);
    }
    return corpus;
  }
}
