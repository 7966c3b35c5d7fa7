package io.rockpool.cache;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Keys that a cache refuses, as it could not find them again. */
final class RefusedKeys {
  private RefusedKeys() {}

  /** Told by identity. */
  static final class Identity {
    final int number = 1;
  }

  @SuppressWarnings("overrides") // what this is for
  static final class EqualsOnly {
    final int number = 1;

    @Override
    @SuppressWarnings("EqualsHashCode")
    public boolean equals(Object other) {
      return other instanceof EqualsOnly;
    }
  }

  static final class ThrowsInEquals {
    final int number = 1;

    @Override
    public boolean equals(Object other) {
      throw new IllegalStateException("no");
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  /** What is written of it does not have what its equals compares. */
  static final class TransientState implements Serializable {
    private static final long serialVersionUID = 1L;
    final transient @Nullable String text;

    TransientState() {
      this("1");
    }

    TransientState(@Nullable String text) {
      this.text = text;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof TransientState that && Objects.equals(text, that.text);
    }

    @Override
    public int hashCode() {
      return Objects.hashCode(text);
    }
  }

  /** With a part that is told by identity. */
  static final class HoldsIdentity implements Serializable {
    private static final long serialVersionUID = 1L;
    final int[] numbers = {1};

    @Override
    public boolean equals(Object other) {
      return other instanceof HoldsIdentity that && numbers == that.numbers;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  static final List<Supplier<Object>> ALL =
      List.of(
          Identity::new,
          EqualsOnly::new,
          ThrowsInEquals::new,
          TransientState::new,
          HoldsIdentity::new,
          () -> new KeyKinds.EntityKey(TimeUnit.DAYS, "a kept hash code that no other process has"),
          Object::new,
          () -> new AtomicInteger(1),
          () -> new ArrayDeque<>(List.of(1)),
          StringBuilder::new,
          () -> new Thread(),
          () -> Path.of("a"),
          () -> (Supplier<Object>) Object::new);
}
