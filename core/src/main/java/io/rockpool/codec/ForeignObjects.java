package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Objects in keys that only their own {@code equals} and {@code hashCode} tell apart: a plain class
 * of the application's, a record with an {@code equals} of its own. Equal ones have the same hash
 * in front and any state behind it. Each class is proven by its first instance, or by each instance
 * if it has transient fields: what was written of it must come back as an object that is equal and
 * has the same hash code.
 */
final class ForeignObjects {
  /** An object: a hash that equal ones share, in every process, and its own state. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Encoded(int hash, byte[] state) {}

  private final JavaSerializationCodec<Object> serialized;
  private final @Nullable ForyCodec<Object> others;
  private final Set<Class<?>> proven = ConcurrentHashMap.newKeySet();
  private final Set<Class<?>> notSerializable = ConcurrentHashMap.newKeySet();

  /**
   * @param serialized writes what is serializable: on every JVM the same
   * @param others writes what is not; null where nothing does
   */
  ForeignObjects(JavaSerializationCodec<Object> serialized, @Nullable ForyCodec<Object> others) {
    this.serialized = serialized;
    this.others = others;
  }

  Encoded encode(Object value) {
    Class<?> type = value.getClass();
    boolean known = proven.contains(type);
    if (!known) {
      requireValueEquality(type);
    }
    byte[] state;
    try {
      state = state(value, type);
    } catch (UnencodableValueException e) {
      throw KeyRefusal.of(type, "its state cannot be written: " + e.getMessage(), e);
    }
    if (!known) {
      prove(value, type, state);
      if (!mayCompareTransientState(type)) {
        proven.add(type);
      }
    }
    try {
      return new Encoded(StableHash.of(value, () -> decode(state, 0, state.length)), state);
    } catch (RuntimeException | StackOverflowError e) {
      Undecodable.rethrowIfOfCatalog(e);
      throw e instanceof UnencodableValueException refused
          ? refused
          : KeyRefusal.of(type, "its hashCode throws " + e.getClass().getName(), e);
    }
  }

  /** An {@code int} that is transient is taken for the hash code, which many keys keep. */
  private static boolean mayCompareTransientState(Class<?> type) {
    return ClassProofs.transientFields(type).anyMatch(field -> field.getType() != int.class);
  }

  private byte[] state(Object value, Class<?> type) {
    ForyCodec<Object> fory = others;
    if (fory == null || (value instanceof Serializable && !notSerializable.contains(type))) {
      try {
        return tagged(ValueTag.JAVA, serialized.encode(value, 1));
      } catch (UnencodableValueException e) {
        boolean written = e.getCause() == null || e.getCause() instanceof UndecodableValueException;
        if (fory == null || written) { // Fory may call a constructor that hides lost state.
          throw e;
        }
        notSerializable.add(type);
      }
    }
    return tagged(ValueTag.FORY, fory.encode(value, 1));
  }

  private static byte[] tagged(byte tag, byte[] state) {
    state[0] = tag;
    return state;
  }

  Object decode(byte[] bytes, int offset, int length) {
    byte tag = length == 0 ? 0 : bytes[offset];
    if (tag == ValueTag.JAVA) {
      return serialized.decode(bytes, offset + 1, length - 1);
    }
    ForyCodec<Object> fory = others;
    if (tag != ValueTag.FORY || fory == null) {
      throw Undecodable.damaged(ValueTag.KEY_ID, "no state has tag " + tag, null);
    }
    return fory.decode(bytes, offset + 1, length - 1);
  }

  private static void requireValueEquality(Class<?> type) {
    if (Equality.classOfHashCode(type) == Object.class
        || Equality.classOfEquals(type) == Object.class) {
      throw KeyRefusal.of(type, "it does not override both equals and hashCode");
    }
    if (type == URL.class || Proxy.isProxyClass(type) || type.isHidden()) {
      throw KeyRefusal.of(type, "its equality is not that of a value");
    }
  }

  private void prove(Object value, Class<?> type, byte[] state) {
    boolean same;
    try {
      Object copy = decode(state, 0, state.length);
      same = copy.equals(value) && value.equals(copy) && copy.hashCode() == value.hashCode();
    } catch (UndecodableValueException e) {
      throw KeyRefusal.of(type, "what is written of it cannot be read back: " + e.getMessage(), e);
    } catch (RuntimeException | StackOverflowError e) {
      Undecodable.rethrowIfOfCatalog(e);
      throw KeyRefusal.of(type, "its equals or hashCode throws " + e.getClass().getName(), e);
    }
    if (!same) {
      throw KeyRefusal.of(
          type,
          "a copy of an instance is not equal to it, or has another hash code: see its fields"
              + " that are transient, or compared by identity");
    }
  }
}
