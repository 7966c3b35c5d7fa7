package io.rockpool.postgresql;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.Rockpool;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.structure.PersistentMap;
import java.util.stream.IntStream;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A process that adds a row, an entry and a message in each transaction, in several threads; it
 * prints a number once its transaction has returned.
 */
final class JoiningVictim {
  private JoiningVictim() {}

  /** Arguments: URL, schema, table, the first number. Works until it is killed. */
  public static void main(String[] arguments) {
    HikariDataSource source = PostgresServer.pool(arguments[0]);
    Rockpool pool = Rockpool.at(PostgresEngine.factory(source, arguments[1])).open();
    JdbcTransactionManager manager = new JdbcTransactionManager(source);
    manager.addListener(new JoiningTransactionListener(source, () -> pool));
    TransactionTemplate template = new TransactionTemplate(manager);
    JdbcTemplate jdbc = new JdbcTemplate(source);
    PersistentMap<Long, Long> map = pool.map("map", Long.class, Long.class);
    PersistentQueue<Long> queue = pool.queue("queue", Long.class);
    int threads = 3;
    IntStream.range(0, threads)
        .forEach(
            thread ->
                new Thread(
                        () -> {
                          long number = Long.parseLong(arguments[3]) + thread;
                          for (; ; number += threads) {
                            long id = number;
                            Runnable work =
                                () -> {
                                  jdbc.update("INSERT INTO " + arguments[2] + " VALUES (?)", id);
                                  queue.send(id);
                                  map.put(id, id);
                                };
                            while (!isDone(template, work)) {
                              Thread.onSpinWait();
                            }
                            say(id);
                          }
                        })
                    .start());
  }

  /** Another thread may have changed the queue meanwhile. */
  private static boolean isDone(TransactionTemplate template, Runnable work) {
    try {
      template.executeWithoutResult(status -> work.run());
      return true;
    } catch (ConcurrencyFailureException e) {
      return false;
    }
  }

  private static synchronized void say(long number) {
    System.out.println(number);
    System.out.flush();
  }
}
