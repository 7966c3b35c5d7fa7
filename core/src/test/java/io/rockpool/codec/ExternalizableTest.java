package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.error.UndecodableValueException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.io.OptionalDataException;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Objects that write themselves read what they wrote, as from the JDK's streams. */
@SuppressWarnings("BanSerializableRead") // what is tested
class ExternalizableTest {
  private interface Writing {
    void to(ObjectOutput out) throws IOException;
  }

  private interface Reading {
    @Nullable Object from(ObjectInput in) throws IOException, ClassNotFoundException;
  }

  private record Use(Writing writing, Reading reading, Object expected) {}

  private static final Map<String, Use> USES = new LinkedHashMap<>();

  static {
    use("short", out -> out.writeShort(-3), ObjectInput::readShort, (short) -3);
    use("unsigned short", out -> out.writeShort(-3), ObjectInput::readUnsignedShort, 65_533);
    use("byte", out -> out.writeByte(300), ObjectInput::readByte, (byte) 44);
    use("unsigned byte", out -> out.writeByte(200), ObjectInput::readUnsignedByte, 200);
    use("char", out -> out.writeChar('\ud800'), ObjectInput::readChar, '\ud800');
    use("boolean", out -> out.writeBoolean(true), ObjectInput::readBoolean, true);
    use("int", out -> out.writeInt(Integer.MIN_VALUE), ObjectInput::readInt, Integer.MIN_VALUE);
    use("long", out -> out.writeLong(-2), ObjectInput::readLong, -2L);
    use("float", out -> out.writeFloat(-0f), ObjectInput::readFloat, -0f);
    use("double", out -> out.writeDouble(1e-300), ObjectInput::readDouble, 1e-300);
    use("text", out -> out.writeUTF("ä😀\0\ud800"), ObjectInput::readUTF, "ä😀\0\ud800");
    use("line", out -> out.writeBytes("ab\n"), ObjectInput::readLine, "ab");
    use("chars", out -> out.writeChars("aĀ"), in -> "" + in.readChar() + in.readChar(), "aĀ");
    use("read", out -> out.write(200), ObjectInput::read, 200);
    use("array", out -> out.write(new byte[] {1, 2}), in -> bytes(in, 2), "[1, 2]");
    use("part", out -> out.write(new byte[] {1, 2, 3}, 1, 2), in -> bytes(in, 2), "[2, 3]");
    use("end", out -> out.write(1), in -> in.read() + " " + in.read(), "1 -1");
    use("end of array", out -> out.write(1), in -> in.read(new byte[4]), 1);
    use("end before an object", out -> out.writeObject("a"), in -> in.read(), -1);
    use("too short", out -> out.write(1), in -> failure(in::readInt), EOFException.class);
    use("no object", out -> {}, in -> failure(in::readObject), EOFException.class);
    use("available", out -> out.writeInt(1), ObjectInput::available, 4);
    use("skip", out -> out.writeLong(9), in -> in.skipBytes(4) + in.skip(2) + "", "6");
    use("not read", out -> out.writeObject("a"), in -> "nothing", "nothing");
    use("bytes of an int", out -> out.writeInt(0x01020304), in -> bytes(in, 4), "[1, 2, 3, 4]");
    use("an int of bytes", out -> out.write(new byte[] {0, 0, 1, 2}), ObjectInput::readInt, 258);
    use("two ints as a long", ExternalizableTest::writeTwoInts, ObjectInput::readLong, 1L << 32);
    use(
        "as streams",
        out -> new DataOutputStream((OutputStream) out).writeInt(7),
        in -> new DataInputStream((InputStream) in).readInt(),
        7);
    use("flush and close", ExternalizableTest::close, ObjectInput::readInt, 7);
    use(
        "documented",
        out -> {
          out.writeInt(7);
          out.writeObject("a");
        },
        in -> in.readInt() + " " + in.readObject(),
        "7 a");
    use(
        "objects",
        out -> {
          out.writeObject(List.of("a"));
          out.writeInt(300);
          out.writeObject(null);
        },
        in -> in.readObject() + " " + in.readInt() + " " + in.readObject(),
        "[a] 300 null");
  }

  private static void use(String name, Writing writing, Reading reading, Object expected) {
    USES.put(name, new Use(writing, reading, expected));
  }

  private static String bytes(ObjectInput in, int length) throws IOException {
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return Arrays.toString(bytes);
  }

  private static void writeTwoInts(ObjectOutput out) throws IOException {
    out.writeInt(1);
    out.writeInt(0);
  }

  private static void close(ObjectOutput out) throws IOException {
    out.writeInt(7);
    out.flush();
    out.close();
  }

  private interface Call {
    @Nullable Object run() throws IOException, ClassNotFoundException;
  }

  private static Class<?> failure(Call call) throws ClassNotFoundException {
    try {
      call.run();
      return Object.class;
    } catch (IOException e) {
      return e instanceof OptionalDataException ? EOFException.class : e.getClass();
    }
  }

  /** Writes itself as its use does. */
  public static class Writer implements Externalizable {
    private static final long serialVersionUID = 1;
    @Nullable String use;
    @Nullable Object read;

    public Writer() {}

    Writer(String use) {
      this.use = use;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeObject(use);
      USES.get(use).writing.to(out);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      use = (String) in.readObject();
      read = USES.get(use).reading.from(in);
    }
  }

  /** As {@link Writer}, and with what a class with one instance for each state has. */
  public static final class Resolved extends Writer {
    private static final long serialVersionUID = 1;

    public Resolved() {}

    Resolved(String use) {
      super(use);
    }

    private Object readResolve() {
      return this;
    }
  }

  /** Is replaced by one that writes itself. */
  private record Replaced(String use) implements Serializable {
    private Object writeReplace() {
      return new Proxy(use);
    }
  }

  /** Stands for {@link Replaced}, in fewer bytes. */
  public static final class Proxy extends Writer {
    private static final long serialVersionUID = 1;

    public Proxy() {}

    Proxy(String use) {
      super(use);
    }

    private Object readResolve() {
      assertThat(read).as(use).isEqualTo(USES.get(use).expected);
      return new Replaced(use);
    }
  }

  private static Codec<Object> codec(Fallback fallback) {
    return Codecs.builder()
        .fallback(fallback)
        .allow(Writer.class, Resolved.class, Replaced.class, Proxy.class, Linked.class)
        .build()
        .valueCodec(TypeRef.of(Object.class));
  }

  private static Stream<String> uses() {
    return USES.keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("uses")
  void whatIsReadIsWhatWasWritten(String use) {
    for (Fallback fallback : Fallback.values()) {
      Codec<Object> codec = codec(fallback);
      byte[] bytes =
          codec.encode(
              List.of(new Writer(use), "between", new Resolved(use), new Replaced(use), "after"));
      List<?> all = (List<?>) codec.decode(bytes, 0, bytes.length);
      assertThat(((Writer) all.get(0)).read).as(use).isEqualTo(USES.get(use).expected);
      assertThat(((Writer) all.get(2)).read).as(use).isEqualTo(USES.get(use).expected);
      assertThat(all.get(1)).isEqualTo("between");
      assertThat(all.get(3)).isEqualTo(new Replaced(use));
      assertThat(all.get(4)).isEqualTo("after");
    }
  }

  /** Refers to others, which may refer to it. */
  public static final class Linked implements Externalizable {
    private static final long serialVersionUID = 1;
    @Nullable Object next;

    public Linked() {}

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeObject(next);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      next = in.readObject();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCircleIsReadAsOne(Fallback fallback) {
    Linked first = new Linked();
    Linked second = new Linked();
    first.next = List.of(second, second);
    second.next = first;
    Codec<Object> codec = codec(fallback);
    byte[] bytes = codec.encode(first);
    Linked read = (Linked) codec.decode(bytes, 0, bytes.length);
    List<?> both = (List<?>) read.next;
    assertThat(both.get(0)).isSameAs(both.get(1));
    assertThat(((Linked) both.get(0)).next).isSameAs(read);
  }

  @Test
  void theBytesAreThoseOfTheDocumentation() {
    byte[] bytes = codec(Fallback.FORY).encode(new Writer("documented"));
    assertThat(HexFormat.of().withUpperCase().formatHex(bytes))
        .endsWith("09" + "00000007" + "00150461" + "00");
  }

  @Test
  void damagedLengthsAreUndecodable() {
    Codec<Object> codec = codec(Fallback.FORY);
    byte[] bytes = codec.encode(new Writer("int"));
    for (int at = 1; at < bytes.length; at++) {
      byte[] damaged = bytes.clone();
      damaged[at] = (byte) 0xff;
      try {
        assertThat(codec.decode(damaged, 0, damaged.length)).isNotNull();
      } catch (UndecodableValueException expected) {
        assertThat(expected.getMessage()).isNotEmpty();
      }
    }
  }
}
