package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.commons.collections.Transformer;
import org.apache.commons.collections.functors.ChainedTransformer;
import org.apache.commons.collections.functors.ConstantTransformer;
import org.apache.commons.collections.functors.InvokerTransformer;
import org.apache.commons.collections.keyvalue.TiedMapEntry;
import org.apache.commons.collections.map.LazyMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The best-known chain of gadgets: a hash set whose element's hash code looks into a lazy map,
 * which calls any method there is. Its library is on the class path, as it often is; the codecs
 * read none of it, whatever the bytes say.
 */
class GadgetChainTest {
  private static final String EXPLOITED = "rockpool.test.exploited";

  record Holder(Object held) implements Serializable {}

  @BeforeEach
  void begin() {
    System.clearProperty(EXPLOITED);
  }

  /** A set that, once it is deserialized, has set a system property. */
  private static Object chain() throws ReflectiveOperationException {
    Transformer[] steps = {
      new ConstantTransformer(System.class),
      new InvokerTransformer(
          "getMethod",
          new Class<?>[] {String.class, Class[].class},
          new Object[] {"setProperty", new Class<?>[] {String.class, String.class}}),
      new InvokerTransformer(
          "invoke",
          new Class<?>[] {Object.class, Object[].class},
          new Object[] {null, new Object[] {EXPLOITED, "true"}})
    };
    Transformer harmless = new ConstantTransformer(1);
    Map<?, ?> lazy = LazyMap.decorate(new HashMap<>(), harmless);
    TiedMapEntry entry = new TiedMapEntry(lazy, "key");
    HashSet<Object> set = new HashSet<>();
    set.add(entry);
    lazy.clear();
    Field factory = LazyMap.class.getDeclaredField("factory");
    factory.setAccessible(true);
    factory.set(lazy, new ChainedTransformer(steps));
    return set;
  }

  private static byte[] serialized(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  private static Codecs.Builder codecs(Fallback fallback) {
    return Codecs.builder().fallback(fallback);
  }

  /** Without this, the tests below would show nothing. */
  @Test
  void theChainWorksWhereNothingStopsIt() throws Exception {
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(serialized(chain())))) {
      Throwable any = catchThrowable(in::readObject);
      assertThat(System.getProperty(EXPLOITED)).as("%s", any).isEqualTo("true");
    }
  }

  @Test
  void serializedBytesAreRefused() throws Exception {
    for (Object value : List.of(chain(), new Holder(chain()))) {
      byte[] bytes = serialized(value);
      for (TypeRef<?> type :
          List.<TypeRef<?>>of(
              TypeRef.of(Holder.class),
              TypeRef.of(Object.class),
              new TypeRef<HashSet<Object>>() {},
              new TypeRef<Map<String, Serializable>>() {})) {
        Codec<?> codec = codecs(Fallback.JAVA_SERIALIZATION).build().codecFor(type);
        byte[] stored = withTag(codec, bytes);
        assertThatThrownBy(() -> codec.decode(stored, 0, stored.length), "%s", type)
            .isInstanceOf(UndecodableValueException.class);
        assertThat(System.getProperty(EXPLOITED)).isNull();
      }
    }
  }

  /** A value of any type has its codec's tag in front, as those of other codecs where they lie. */
  private static byte[] withTag(Codec<?> codec, byte[] bytes) {
    if (!(codec instanceof AnyCodec)) {
      return bytes;
    }
    byte[] tagged = new byte[bytes.length + 1];
    tagged[0] = ValueTag.JAVA;
    System.arraycopy(bytes, 0, tagged, 1, bytes.length);
    return tagged;
  }

  /** Someone who may write bytes may have them made by a codec that allows everything. */
  @ParameterizedTest
  @EnumSource
  void bytesOfTheSameCodecAreRefused(Fallback fallback) throws Exception {
    Codecs reckless = codecs(fallback).allowPackage("org.apache.commons.collections").build();
    Codec<Holder> careful = codecs(fallback).build().valueCodec(TypeRef.of(Holder.class));
    List<Object> gadgets = new ArrayList<>(List.of(chain()));
    gadgets.add(LazyMap.decorate(new HashMap<>(), new ConstantTransformer(1)));
    gadgets.add(new TiedMapEntry(new HashMap<>(), "key"));
    gadgets.add(new InvokerTransformer("toString", null, null));
    gadgets.add(new ChainedTransformer(new Transformer[] {new ConstantTransformer("x")}));
    gadgets.add(new Transformer[] {new ConstantTransformer("x")});
    for (Object gadget : gadgets) {
      assertThatThrownBy(() -> careful.encode(new Holder(gadget)), "%s", gadget.getClass())
          .isInstanceOf(UnencodableValueException.class);
      byte[] bytes;
      try {
        bytes = reckless.valueCodec(TypeRef.of(Holder.class)).encode(new Holder(gadget));
      } catch (UnencodableValueException e) {
        // It holds a class, which no one allows; and Fory has a list of its own.
        assertThat(e.getMessage()).containsPattern("java\\.lang|disallowed list");
        continue;
      } finally {
        System.clearProperty(EXPLOITED); // writing may run it, too
      }
      for (int offset = 0; offset < 3; offset++) {
        assertThatThrownBy(() -> careful.decode(bytes, 0, bytes.length), "%s", gadget.getClass())
            .isInstanceOf(UndecodableValueException.class)
            .hasMessageContaining("org.apache.commons.collections");
      }
      assertThat(System.getProperty(EXPLOITED)).isNull();
    }
  }

  /** However the bytes are changed, none of the gadgets comes to life. */
  @ParameterizedTest
  @EnumSource
  void changedBytesAreRefusedOrHarmless(Fallback fallback) throws Exception {
    Codecs reckless = codecs(fallback).allowPackage("org.apache.commons.collections").build();
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
