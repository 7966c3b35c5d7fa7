package io.rockpool.codec;

import io.rockpool.internal.bytes.BigEndian;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Tells whether a record's {@code equals} is the one that the compiler makes, which compares the
 * components. Reflection does not say; the class file does: the compiler's is one call of {@code
 * ObjectMethods}. Where there is no class file to read, as in a native image, it is taken for that.
 */
final class RecordEquals {
  private static final int MAGIC_AND_VERSION_BYTES = 8;
  private static final int MEMBER_HEADER_BYTES = 6;

  /** {@code aload_0; aload_1; invokedynamic ....; ireturn}. */
  private static final int IMPLICIT_BYTES = 8;

  private static final int ALOAD_0 = 0x2A;
  private static final int ALOAD_1 = 0x2B;
  private static final int INVOKEDYNAMIC = 0xBA;
  private static final int IRETURN = 0xAC;

  private final DataInputStream in;
  private final String[] texts;

  private RecordEquals(DataInputStream in) throws IOException {
    this.in = in;
    in.skipNBytes(MAGIC_AND_VERSION_BYTES);
    this.texts = constants();
  }

  static boolean isImplicit(Class<?> record) {
    String name = record.getName();
    String file = name.substring(name.lastIndexOf('.') + 1) + ".class";
    try (InputStream stream = record.getResourceAsStream(file)) {
      return stream == null || new RecordEquals(new DataInputStream(stream)).search();
    } catch (IOException e) {
      return true;
    }
  }

  private String[] constants() throws IOException {
    String[] found = new String[in.readUnsignedShort()];
    for (int i = 1; i < found.length; i++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1 -> found[i] = in.readUTF();
        case 5, 6 -> { // long and double take two places
          in.skipNBytes(Long.BYTES);
          i++;
        }
        case 7, 8, 16, 19, 20 -> in.skipNBytes(2);
        case 15 -> in.skipNBytes(3);
        default -> in.skipNBytes(4);
      }
    }
    return found;
  }

  private boolean search() throws IOException {
    in.skipNBytes(MEMBER_HEADER_BYTES); // access flags, this and super
    in.skipNBytes(2L * in.readUnsignedShort());
    for (int fields = in.readUnsignedShort(); fields > 0; fields--) {
      in.skipNBytes(MEMBER_HEADER_BYTES);
      for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--) {
        in.skipNBytes(2);
        in.skipNBytes(in.readInt());
      }
    }
    for (int methods = in.readUnsignedShort(); methods > 0; methods--) {
      in.skipNBytes(2);
      String name = texts[in.readUnsignedShort()];
      String descriptor = texts[in.readUnsignedShort()];
      boolean wanted = "equals".equals(name) && "(Ljava/lang/Object;)Z".equals(descriptor);
      for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--) {
        boolean code = "Code".equals(texts[in.readUnsignedShort()]);
        byte[] content = in.readNBytes(in.readInt());
        if (wanted && code) {
          return isImplicit(content);
        }
      }
    }
    return true;
  }

  private static boolean isImplicit(byte[] code) {
    int at = 2 + 2 + Integer.BYTES; // stack, locals and the length of what follows
    return BigEndian.getInt(code, Integer.BYTES) == IMPLICIT_BYTES
        && (code[at] & 0xFF) == ALOAD_0
        && (code[at + 1] & 0xFF) == ALOAD_1
        && (code[at + 2] & 0xFF) == INVOKEDYNAMIC
        && (code[at + IMPLICIT_BYTES - 1] & 0xFF) == IRETURN;
  }
}
