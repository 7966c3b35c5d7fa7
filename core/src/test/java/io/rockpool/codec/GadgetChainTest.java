package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rockpool.codec.Gadgets.Holder;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.testing.Slow;
import java.io.ByteArrayInputStream;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.commons.collections.keyvalue.TiedMapEntry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The library of {@link Gadgets} is on the class path, as it often is; the codecs read none of it,
 * whatever the bytes say.
 */
@Slow
class GadgetChainTest {
  private static final int[] OFFSETS = {0, 1, 7};

  private static final URLClassLoader RECKLESS = Gadgets.reckless();

  /** A key that has no order of its own, so that the fallback writes it. */
  static final class Id implements Serializable {
    private static final long serialVersionUID = 1L;
    int number;
    String name;
  }

  /** A codec that reads what the fallback writes, with a tag in front of it or without. */
  private record Reader(String name, Codec<?> codec, boolean key, boolean holds) {}

  @BeforeEach
  void begin() {
    System.clearProperty(Gadgets.EXPLOITED);
  }

  @AfterAll
  static void close() throws Exception {
    RECKLESS.close();
  }

  private static byte[] fory(String name, boolean held) throws Exception {
    return (byte[])
        RECKLESS
            .loadClass(Gadgets.class.getName())
            .getMethod("fory", String.class, boolean.class)
            .invoke(null, name, held);
  }

  private static byte[] bytes(Fallback fallback, String name, boolean held) throws Exception {
    return fallback == Fallback.FORY ? fory(name, held) : Gadgets.java(name, held);
  }

  private static List<Reader> readers(Fallback fallback) {
    Codecs codecs = codecs(fallback).build();
    Codec<Holder> holder = codecs.valueCodec(TypeRef.of(Holder.class));
    List<Reader> readers = new ArrayList<>();
    readers.add(new Reader("held", holder, false, true));
    for (TypeRef<?> type :
        List.<TypeRef<?>>of(
            TypeRef.of(Holder.class),
            TypeRef.of(Object.class),
            new TypeRef<HashSet<Object>>() {},
            new TypeRef<Map<String, Serializable>>() {})) {
      readers.add(new Reader("value " + type, codecs.valueCodec(type), false, false));
    }
    Codec<Id> ids = codecs.cacheKeyCodec(TypeRef.of(Id.class));
    readers.add(new Reader("key", ids, true, false));
    Codec<Object> any = codecs.cacheKeyCodec(TypeRef.of(Object.class));
    readers.add(new Reader("any key", any, true, false));
    return readers;
  }

  private static Codecs.Builder codecs(Fallback fallback) {
    return Codecs.builder().fallback(fallback);
  }

  /** Without this, the tests below would show nothing. */
  @Test
  void theChainWorksWhereNothingStopsIt() throws Exception {
    byte[] serialized = Gadgets.java("chain", false);
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(serialized))) {
      Throwable any = catchThrowable(in::readObject);
      assertThat(System.getProperty(Gadgets.EXPLOITED)).as("%s", any).isEqualTo("true");
    }
    for (boolean held : new boolean[] {false, true}) {
      System.clearProperty(Gadgets.EXPLOITED);
      byte[] bytes = fory("chain", held);
      var read = RECKLESS.loadClass(Gadgets.class.getName()).getMethod("read", byte[].class);
      Throwable any = catchThrowable(() -> read.invoke(null, bytes));
      assertThat(System.getProperty(Gadgets.EXPLOITED)).as("%s", any).isEqualTo("true");
    }
  }

  @ParameterizedTest
  @EnumSource
  void noGadgetIsRead(Fallback fallback) throws Exception {
    List<Reader> readers = readers(fallback);
    Map<String, Integer> refused = new TreeMap<>();
    for (String gadget : Gadgets.all().keySet()) {
      for (Reader reader : readers) {
        byte[] bytes = bytes(fallback, gadget, reader.holds());
        assertRefused(fallback, reader, gadget, bytes);
        refused.merge(gadget, 1, Integer::sum);
      }
    }
    assertThat(refused).hasSize(6);
    assertThat(refused.values()).containsOnly(readers.size());
  }

  private static void assertRefused(Fallback fallback, Reader reader, String gadget, byte[] bytes) {
    byte[] head = reader.key() ? foreignKey(fallback, bytes.length) : new byte[] {tag(fallback)};
    for (int offset : OFFSETS) {
      byte[] stored = new byte[offset + head.length + bytes.length + offset];
      System.arraycopy(head, 0, stored, offset, head.length);
      System.arraycopy(bytes, 0, stored, offset + head.length, bytes.length);
      assertThatThrownBy(
              () -> reader.codec().decode(stored, offset, head.length + bytes.length),
              "%s, %s at %d",
              reader,
              gadget,
              offset)
          .isInstanceOf(UndecodableValueException.class)
          .hasMessageContaining(Gadgets.LIBRARY);
      assertThat(System.getProperty(Gadgets.EXPLOITED)).isNull();
    }
  }

  private static byte tag(Fallback fallback) {
    return fallback == Fallback.FORY ? ValueTag.FORY : ValueTag.JAVA;
  }

  /** What stands in front of the state of a foreign object that is a key. */
  private static byte[] foreignKey(Fallback fallback, int bytes) {
    KeyBytes head = new KeyBytes();
    head.put(KeyTag.BY_EQUALITY);
    head.putCounted(new byte[] {KeyTag.FOREIGN, 0, 0, 0, 0});
    head.putNumber(bytes + 1);
    head.put(tag(fallback));
    return head.toBytes();
  }

  @ParameterizedTest
  @EnumSource
  void noGadgetIsWritten(Fallback fallback) throws Exception {
    Codec<Holder> codec = codecs(fallback).build().valueCodec(TypeRef.of(Holder.class));
    for (Object gadget : Gadgets.all().values()) {
      assertThatThrownBy(() -> codec.encode(new Holder(gadget)), "%s", gadget.getClass())
          .isInstanceOf(UnencodableValueException.class);
    }
  }

  /** However the bytes are changed, none of the gadgets comes to life. */
  @ParameterizedTest
  @EnumSource
  void changedBytesAreRefusedOrHarmless(Fallback fallback) throws Exception {
    Codecs reckless = codecs(fallback).allowPackage(Gadgets.LIBRARY).build();
    Object gadget = new TiedMapEntry(new HashMap<>(Map.of("a", "b")), "key");
    byte[] bytes = reckless.valueCodec(TypeRef.of(Holder.class)).encode(new Holder(gadget));
    Codec<Holder> careful = codecs(fallback).build().valueCodec(TypeRef.of(Holder.class));
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 2_000; i++) {
      byte[] changed = bytes.clone();
      for (int n = random.nextInt(3); n >= 0; n--) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      }
      Object found;
      try {
        found = careful.decode(changed, 0, changed.length).held();
      } catch (UndecodableValueException e) {
        continue;
      }
      assertThat(String.valueOf(found == null ? null : found.getClass().getName()))
          .as("change %d", i)
          .doesNotContain("collections");
    }
  }
}
