package io.rockpool.codec;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** An element of a set, or a key of a map, that can change after it was added. */
public final class MutablePart implements Comparable<MutablePart>, Serializable {
  private static final long serialVersionUID = 1;
  private String name;

  public MutablePart(String name) {
    this.name = name;
  }

  public void rename(String newName) {
    this.name = newName;
  }

  @Override
  public boolean equals(@Nullable Object o) {
    return o instanceof MutablePart that && name.equals(that.name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public int compareTo(MutablePart that) {
    return name.compareTo(that.name);
  }
}
