package io.rockpool.spring.boot;

import io.rockpool.Rockpool;
import java.nio.file.Path;

/** A process that has a store open until it is killed. */
final class StoreHolder {
  private StoreHolder() {}

  public static void main(String[] args) throws InterruptedException {
    try (Rockpool pool = Rockpool.open(Path.of(args[0]))) {
      System.out.print('!');
      System.out.flush();
      Thread.currentThread().join();
    }
  }
}
