package io.rockpool.internal.format;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.format.FormatPage.Example;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a fuzzer throws at each format of a store: the first byte of an input says at which, the
 * others are the record. It is read, or refused as corrupt; nothing else may happen.
 */
public final class FormatFuzzTarget {
  private interface Decoder {
    void decode(byte[] bytes);
  }

  private static final List<String> NAMES = FormatPage.FORMATS.keySet().stream().sorted().toList();

  private static final Map<String, Decoder> DECODERS = decoders();

  private FormatFuzzTarget() {}

  private static Map<String, Decoder> decoders() {
    Map<String, Decoder> decoders = new TreeMap<>();
    FormatPage.FORMATS.forEach((name, format) -> decoders.put(name, format::decode));
    // These are asked whether it is one: the answer is empty, or null, where it is not.
    decoders.put(
        "marker", bytes -> MarkerFormat.decode(new String(bytes, StandardCharsets.US_ASCII)));
    decoders.put("recovery-point", RecoveryPoint::decode);
    return decoders;
  }

  /** One input. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length == 0) {
      return;
    }
    Decoder decoder = DECODERS.get(NAMES.get((input[0] & 0xFF) % NAMES.size()));
    try {
      decoder.decode(Arrays.copyOfRange(input, 1, input.length));
    } catch (CorruptStoreException refused) {
      // as it should be
    }
  }

  /** The examples of the page, to begin with. */
  public static List<byte[]> seeds() {
    try {
      List<Example> examples = new ArrayList<>(FormatPage.examples("golden"));
      examples.addAll(FormatPage.examples("refused"));
      return examples.stream().map(FormatFuzzTarget::input).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] input(Example example) {
    byte[] bytes = example.bytes();
    byte[] input = new byte[1 + bytes.length];
    input[0] = (byte) NAMES.indexOf(example.format());
    System.arraycopy(bytes, 0, input, 1, bytes.length);
    return input;
  }
}
