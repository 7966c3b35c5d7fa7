package io.rockpool.codec;

/**
 * The names of the classes whose instances an application has encoded, as a store keeps them. Only
 * these, and those that are declared or allowed, are decoded. Safe for use by many threads.
 */
public interface ClassCatalog {

  /**
   * Returns whether a class has been added.
   *
   * @param className its binary name
   * @return whether it has
   */
  boolean contains(String className);

  /**
   * Adds a class. When this returns, its name is as durable as a synced write.
   *
   * @param className its binary name
   * @throws io.rockpool.error.RockpoolException if it cannot be kept; the class is not added
   */
  void add(String className);
}
