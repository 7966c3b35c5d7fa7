package io.rockpool.engine.memory;

import io.rockpool.engine.Direction;
import io.rockpool.engine.SortRange;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map sorted by key as unsigned bytes: an AVL tree that shares all nodes with its
 * predecessor except the path to the change. So each tree is a snapshot. Every operation is O(log
 * n).
 *
 * @param <V> the type of values
 */
final class SortedTree<V> implements Iterable<SortedTree.Node<V>> {
  private static final SortedTree<?> EMPTY = new SortedTree<>(null);

  private final @Nullable Node<V> root;

  private SortedTree(@Nullable Node<V> root) {
    this.root = root;
  }

  @SuppressWarnings("unchecked") // it holds no value of any type
  static <V> SortedTree<V> empty() {
    return (SortedTree<V>) EMPTY;
  }

  boolean isEmpty() {
    return root == null;
  }

  /** The number of nodes on the longest path from the root to a leaf. */
  int height() {
    return height(root);
  }

  @Nullable V get(byte[] key) {
    Node<V> node = root;
    while (node != null) {
      int order = Arrays.compareUnsigned(key, node.key);
      if (order == 0) {
        return node.value;
      }
      node = order < 0 ? node.left : node.right;
    }
    return null;
  }

  SortedTree<V> with(byte[] key, V value) {
    return new SortedTree<>(insert(root, key, value));
  }

  SortedTree<V> without(byte[] key) {
    return get(key) == null ? this : new SortedTree<>(remove(root, key));
  }

  /** The first node of {@code range} in {@code direction}, or null. */
  @Nullable Node<V> first(SortRange range, Direction direction) {
    Node<V> node = direction == Direction.FORWARD ? atOrAbove(range.from()) : below(range.to());
    return node != null && range.contains(node.key) ? node : null;
  }

  /** Iterates over all nodes, lowest key first. */
  @Override
  public Iterator<Node<V>> iterator() {
    return new Iterator<>() {
      private @Nullable Node<V> next = first(SortRange.all(), Direction.FORWARD);

      @Override
      public boolean hasNext() {
        return next != null;
      }

      @Override
      public Node<V> next() {
        Node<V> node = next;
        if (node == null) {
          throw new NoSuchElementException();
        }
        next = first(past(node.key, SortRange.all(), Direction.FORWARD), Direction.FORWARD);
        return node;
      }
    };
  }

  /** The rest of {@code range} after {@code key}. */
  static SortRange past(byte[] key, SortRange range, Direction direction) {
    return direction == Direction.FORWARD ? range.from(key, false) : range.to(key, false);
  }

  private @Nullable Node<V> atOrAbove(byte[] key) {
    Node<V> best = null;
    Node<V> node = root;
    while (node != null) {
      if (Arrays.compareUnsigned(node.key, key) >= 0) {
        best = node;
        node = node.left;
      } else {
        node = node.right;
      }
    }
    return best;
  }

  private @Nullable Node<V> below(byte @Nullable [] key) {
    Node<V> best = null;
    Node<V> node = root;
    while (node != null) {
      if (key == null || Arrays.compareUnsigned(node.key, key) < 0) {
        best = node;
        node = node.right;
      } else {
        node = node.left;
      }
    }
    return best;
  }

  private static <V> Node<V> insert(@Nullable Node<V> node, byte[] key, V value) {
    if (node == null) {
      return new Node<>(key, value, null, null);
    }
    int order = Arrays.compareUnsigned(key, node.key);
    if (order == 0) {
      return new Node<>(key, value, node.left, node.right);
    }
    return order < 0
        ? balanced(node, insert(node.left, key, value), node.right)
        : balanced(node, node.left, insert(node.right, key, value));
  }

  private static <V> @Nullable Node<V> remove(@Nullable Node<V> node, byte[] key) {
    if (node == null) {
      return null;
    }
    int order = Arrays.compareUnsigned(key, node.key);
    if (order < 0) {
      return balanced(node, remove(node.left, key), node.right);
    }
    if (order > 0) {
      return balanced(node, node.left, remove(node.right, key));
    }
    if (node.right == null) {
      return node.left;
    }
    Node<V> next = node.right;
    while (next.left != null) {
      next = next.left;
    }
    return balanced(next, node.left, remove(node.right, next.key));
  }

  /** {@code middle} between two trees whose heights differ by at most two. */
  private static <V> Node<V> balanced(
      Node<V> middle, @Nullable Node<V> left, @Nullable Node<V> right) {
    if (left != null && left.height > height(right) + 1) {
      Node<V> inner = left.right;
      return inner == null || height(left.left) >= inner.height
          ? left.between(left.left, middle.between(inner, right))
          : inner.between(left.between(left.left, inner.left), middle.between(inner.right, right));
    }
    if (right != null && right.height > height(left) + 1) {
      Node<V> inner = right.left;
      return inner == null || height(right.right) >= inner.height
          ? right.between(middle.between(left, inner), right.right)
          : inner.between(
              middle.between(left, inner.left), right.between(inner.right, right.right));
    }
    return middle.between(left, right);
  }

  private static int height(@Nullable Node<?> node) {
    return node == null ? 0 : node.height;
  }

  /** A key, its value and the subtrees. */
  static final class Node<V> {
    final byte[] key;
    final V value;
    private final @Nullable Node<V> left;
    private final @Nullable Node<V> right;
    private final int height;

    private Node(byte[] key, V value, @Nullable Node<V> left, @Nullable Node<V> right) {
      this.key = key;
      this.value = value;
      this.left = left;
      this.right = right;
      this.height = 1 + Math.max(height(left), height(right));
    }

    private Node<V> between(@Nullable Node<V> left, @Nullable Node<V> right) {
      return new Node<>(key, value, left, right);
    }
  }
}
