package io.rockpool.engine.rocksdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A process that flips bits of a store's files, one at a time and each kind of file in turn, and
 * says what becomes of it. It is one of its own because damage must not end it.
 */
final class ByteFlips {
  static final String DONE = "done";

  private ByteFlips() {}

  /** Arguments: the store, a directory to work in, a seed, and how many bits. */
  public static void main(String[] arguments) throws IOException {
    Path store = Path.of(arguments[0]);
    Path work = Path.of(arguments[1]);
    SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[2]));
    int flips = Integer.parseInt(arguments[3]);
    var kinds = new ArrayList<>(new TreeMap<>(DamagedStore.files(store)).values());
    for (int i = 0; i < flips; i++) {
      List<Path> files = kinds.get(i % kinds.size());
      Path file = store.relativize(files.get(random.nextInt(files.size())));
      Path copy = work.resolve("flip-" + i);
      DamagedStore.copy(store, copy);
      byte[] bytes = Files.readAllBytes(copy.resolve(file));
      int at = random.nextInt(bytes.length);
      int bit = random.nextInt(Byte.SIZE);
      bytes[at] ^= (byte) (1 << bit);
      Files.write(copy.resolve(file), bytes);
      DamagedStore.Result result = DamagedStore.check(copy);
      System.out.printf(
          "%s: bit %d of byte %d of %d in %s: %s%n",
          result.outcome(), bit, at, bytes.length, file, result.message().replace('\n', ' '));
      DamagedStore.delete(copy);
    }
    System.out.println(DONE);
  }
}
