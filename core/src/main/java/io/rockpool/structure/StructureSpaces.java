package io.rockpool.structure;

/** Finds the space of a structure. An interface cannot hide a method that returns it from users. */
final class StructureSpaces {
  private StructureSpaces() {}

  static StructureSpace of(PersistentStructure structure) {
    if (structure instanceof EntryMap<?, ?> map) {
      return map.space();
    }
    if (structure instanceof ElementSet<?, ?> set) {
      return set.space();
    }
    if (structure instanceof PersistentScoredSet<?> scoredSet) {
      return scoredSet.space();
    }
    if (structure instanceof PersistentDeque<?> deque) {
      return deque.space();
    }
    if (structure instanceof PersistentTable<?, ?, ?> table) {
      return table.space();
    }
    return ((SingleEntry<?>) structure).space;
  }
}
