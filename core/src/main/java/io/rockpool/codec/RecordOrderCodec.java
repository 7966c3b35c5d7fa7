package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Records as keys: the first component decides the order, ties go to the next. Its id names every
 * component with its codec, so a record whose components were changed is another key type rather
 * than one that decodes into the wrong components. The record must keep the {@code equals} that
 * compares components.
 */
final class RecordOrderCodec<R> implements HeadroomCodec<R>, OrderedCodec<R> {

  /** A component: its name, how to get it, and the codec of its type. */
  record Component(String name, MethodHandle accessor, OrderedCodec<Object> codec) {}

  private final Class<? super R> type;
  private final List<Component> components;
  private final MethodHandle constructor;
  private final String id;
  private final boolean immutable;

  /**
   * @param components never empty; their accessors take and return {@link Object}
   * @param constructor takes an {@code Object[]} and returns {@link Object}
   */
  RecordOrderCodec(Class<? super R> type, List<Component> components, MethodHandle constructor) {
    this.type = type;
    this.components = components;
    this.constructor = constructor;
    this.id =
        components.stream()
            .map(component -> component.name() + ' ' + component.codec().id())
            .collect(Collectors.joining(",", "ordered:record(", ")"));
    this.immutable = components.stream().allMatch(component -> component.codec().immutable());
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public byte[] encode(R value, int headroom) {
    ComponentWriter out = new ComponentWriter(headroom);
    int last = components.size() - 1;
    for (int i = 0; i <= last; i++) {
      Component component = components.get(i);
      Object part = get(component, value);
      if (component.codec() instanceof FixedWidthCodec<?> fixed) {
        putFixed(out, fixed, part);
      } else if (i == last) {
        out.putLast(component.codec().encode(part));
      } else {
        out.putEnded(component.codec().encode(part));
      }
    }
    return out.toBytes();
  }

  @SuppressWarnings("unchecked")
  private static <C extends Comparable<? super C>> void putFixed(
      ComponentWriter out, FixedWidthCodec<C> codec, Object part) {
    out.putFixed(codec, (C) part);
  }

  private Object get(Component component, R value) {
    Object part;
    try {
      part = component.accessor().invokeExact((Object) value);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new UnencodableValueException(
          "Component '" + component.name() + "' of " + type.getName() + " could not be read.", e);
    }
    if (part == null) {
      throw new NullPointerException(
          "Component '" + component.name() + "' of key " + type.getName() + " is null.");
    }
    return part;
  }

  @Override
  public R decode(byte[] bytes, int offset, int length) {
    ComponentReader in = new ComponentReader(id, bytes, offset, length);
    Object[] parts = new Object[components.size()];
    int last = parts.length - 1;
    for (int i = 0; i <= last; i++) {
      OrderedCodec<Object> codec = components.get(i).codec();
      if ((OrderedCodec<?>) codec instanceof FixedWidthCodec<?> fixed) {
        parts[i] = in.fixed(codec, fixed.width());
      } else {
        parts[i] = i == last ? in.last(codec) : in.ended(codec);
      }
    }
    in.requireEnd();
    return construct(parts);
  }

  @SuppressWarnings("unchecked")
  private R construct(Object[] parts) {
    try {
      return (R) constructor.invokeExact(parts);
    } catch (LinkageError e) {
      throw Undecodable.linkage(type.getName(), e);
    } catch (Throwable e) {
      Undecodable.rethrowIfFatal(e);
      throw new UndecodableValueException(
          "The constructor of "
              + type.getName()
              + " refused the stored components: "
              + e.getClass().getName(), // what it says may show them
          e);
    }
  }

  @Override
  public boolean immutable() {
    return immutable;
  }

  @Override
  public int compare(R a, R b) {
    for (Component component : components) {
      int order = component.codec().compare(get(component, a), get(component, b));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}
