package io.rockpool.compatibility.boot4;

import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.cache.autoconfigure.CacheManagerCustomizer;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.caffeine.CaffeineCacheManager;
import org.springframework.cache.interceptor.KeyGenerator;
import org.springframework.context.annotation.Bean;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;

/** A service as users write them; nothing in it knows of Rockpool. */
@SpringBootApplication
@EnableCaching
@EnableJpaRepositories(considerNestedRepositories = true)
class Shop {
  public static void main(String[] arguments) {
    SpringApplication.run(Shop.class, arguments);
  }

  /** An entity, which is not serializable. */
  @Entity(name = "Customer")
  static class Customer {
    @Id @GeneratedValue Long id;
    String name;
    LocalDate since;

    @ElementCollection(fetch = FetchType.EAGER)
    Set<String> labels = new TreeSet<>();

    @OneToMany(mappedBy = "customer", fetch = FetchType.EAGER)
    List<Purchase> purchases = new ArrayList<>();

    Customer() {}

    Customer(String name) {
      this.name = name;
      this.since = LocalDate.of(2024, 2, 29);
      this.labels.add("new");
    }

    @Override
    public String toString() {
      return id + " " + name + " " + since + " " + labels + " " + purchases;
    }
  }

  /** An entity whose customer is loaded lazily. */
  @Entity(name = "Purchase")
  static class Purchase {
    @Id @GeneratedValue Long id;
    String what;

    @ManyToOne(fetch = FetchType.LAZY)
    Customer customer;

    Purchase() {}

    Purchase(Customer customer, String what) {
      this.customer = customer;
      this.what = what;
    }

    @Override
    public String toString() {
      return id + " " + what + " of " + customer.name;
    }
  }

  interface Customers extends JpaRepository<Customer, Long> {}

  interface Purchases extends JpaRepository<Purchase, Long> {
    List<Purchase> findByWhat(String what);
  }

  record Offer(String name, List<String> lines) {}

  record Question(String text, Set<Integer> numbers) {}

  record Price(BigDecimal amount, Size size) {}

  enum Size {
    SMALL,
    LARGE {
      @Override
      public String toString() {
        return "large";
      }
    }
  }

  /** A key as JPA's embedded identifiers are: a plain class with equals and hashCode. */
  static final class OrderId {
    private final String shop;
    private final int number;

    OrderId(String shop, int number) {
      this.shop = shop;
      this.number = number;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof OrderId it && it.number == number && it.shop.equals(shop);
    }

    @Override
    public int hashCode() {
      return 31 * shop.hashCode() + number;
    }
  }

  /** Keys with the bean's class and the method's name, as many applications have them. */
  @Bean
  KeyGenerator byMethod() {
    return (target, method, parameters) ->
        List.of(target.getClass(), method.getName(), List.of(parameters));
  }

  /** Caffeine's manager needs this for methods that return futures and publishers. */
  @Bean
  CacheManagerCustomizer<CaffeineCacheManager> asyncMode() {
    return manager -> manager.setAsyncCacheMode(true);
  }
}
