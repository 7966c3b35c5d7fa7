package io.rockpool.compatibility.hibernate;

import io.rockpool.jcache.RockpoolCachingProvider;
import jakarta.persistence.Cacheable;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import java.io.Serializable;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;
import org.hibernate.boot.registry.BootstrapServiceRegistry;
import org.hibernate.boot.registry.BootstrapServiceRegistryBuilder;
import org.hibernate.cfg.Configuration;

/**
 * An application that is loaded anew for each start. It gets the URL of its database, and returns
 * what it read and how many statements that took.
 */
public final class ReloadedShop implements UnaryOperator<String> {
  enum Color {
    RED,
    GREEN
  }

  @Embeddable
  static class ItemId implements Serializable {
    private static final long serialVersionUID = 1L;

    String shop;
    int number;

    ItemId() {}

    ItemId(String shop, int number) {
      this.shop = shop;
      this.number = number;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof ItemId that && shop.equals(that.shop) && number == that.number;
    }

    @Override
    public int hashCode() {
      return Objects.hash(shop, number);
    }
  }

  @Entity(name = "Item")
  @Cacheable
  @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
  static class Item {
    @EmbeddedId ItemId id;
    Color main;

    @ElementCollection(fetch = FetchType.EAGER)
    @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
    Set<Color> colors = EnumSet.noneOf(Color.class);

    Item() {}

    Item(ItemId id) {
      this.id = id;
      this.main = Color.GREEN;
      this.colors.addAll(EnumSet.allOf(Color.class));
    }
  }

  @Override
  public String apply(String database) {
    BootstrapServiceRegistry classes =
        new BootstrapServiceRegistryBuilder()
            .applyClassLoader(ReloadedShop.class.getClassLoader())
            .build();
    try (SessionFactory factory =
        new Configuration(classes)
            .addAnnotatedClass(Item.class)
            .setProperty("hibernate.connection.url", database)
            .setProperty("hibernate.hbm2ddl.auto", "update")
            .setProperty("hibernate.generate_statistics", "true")
            .setProperty("hibernate.cache.region.factory_class", "jcache")
            .setProperty("hibernate.cache.use_query_cache", "true")
            .setProperty("hibernate.javax.cache.missing_cache_strategy", "create")
            .setProperty("hibernate.javax.cache.provider", RockpoolCachingProvider.class.getName())
            .buildSessionFactory()) {
      String first = read(factory);
      long before = factory.getStatistics().getPrepareStatementCount();
      String second = read(factory);
      long statements = factory.getStatistics().getPrepareStatementCount() - before;
      return first + ", then " + second + " with " + statements + " statements, " + before;
    }
  }

  private static String read(SessionFactory factory) {
    return factory.fromTransaction(
        session -> {
          ItemId id = new ItemId("Berne", 7);
          Item found = session.find(Item.class, id);
          if (found == null) {
            session.persist(new Item(id));
            return "none";
          }
          List<Color> queried =
              session
                  .createQuery("select main from Item where id.shop = :shop", Color.class)
                  .setParameter("shop", "Berne")
                  .setCacheable(true)
                  .list();
          return found.main.name() + queried.get(0).name() + EnumSet.copyOf(found.colors);
        });
  }
}
