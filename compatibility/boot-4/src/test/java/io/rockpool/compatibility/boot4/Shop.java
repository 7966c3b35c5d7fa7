package io.rockpool.compatibility.boot4;

import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A service as users write them; nothing in it knows of Rockpool. */
@SpringBootApplication
@EnableCaching
@EnableJpaRepositories(considerNestedRepositories = true)
class Shop {
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
  }

  interface Customers extends JpaRepository<Customer, Long> {}

  interface Purchases extends JpaRepository<Purchase, Long> {
    List<Purchase> findByWhat(String what);
  }

  record Offer(String name, List<String> lines) {}

  record Question(String text, Set<Integer> numbers) {}

  @Service
  static class Catalog {
    final Customers customers;
    final Purchases purchases;
    private int calls;

    Catalog(Customers customers, Purchases purchases) {
      this.customers = customers;
      this.purchases = purchases;
    }

    /** How many calls reached these methods; a method, since the proxy has fields of its own. */
    public int calls() {
      return calls;
    }

    @Transactional
    public void fill() {
      Customer ann = customers.save(new Customer("ann"));
      customers.save(new Customer("bob"));
      purchases.save(new Purchase(ann, "pear"));
    }

    @Cacheable("entities")
    public Customer customer(String name) {
      calls++;
      return customers.findAll().stream().filter(it -> it.name.equals(name)).findAny().get();
    }

    @Cacheable("pages")
    public Page<Customer> page(Pageable pageable) {
      calls++;
      return customers.findAll(pageable);
    }

    @Cacheable("json")
    public JsonNode json(String text) {
      calls++;
      return JsonMapper.shared().readTree(text);
    }

    @Cacheable("responses")
    public ResponseEntity<Offer> response(int number) {
      calls++;
      return ResponseEntity.ok().header("X-Number", "" + number).body(offer(number));
    }

    @Cacheable("records")
    public Offer record(Question question, LocalDate day) {
      calls++;
      return offer(question.numbers().size());
    }

    @Cacheable("nulls")
    public Offer nothing(String name) {
      calls++;
      return null;
    }

    @Cacheable("optionals")
    public Optional<Offer> optional(long number) {
      calls++;
      return number < 0 ? Optional.empty() : Optional.of(offer((int) number));
    }

    @Cacheable("lists")
    public List<String> listWithNull() {
      calls++;
      return Arrays.asList("a", null, "c").stream().toList();
    }

    @Cacheable("futures")
    public CompletableFuture<Offer> future(int number) {
      calls++;
      return CompletableFuture.supplyAsync(() -> offer(number));
    }

    /** Has a proxy that nobody has initialised: hopeless as a value. */
    @Cacheable("lazy")
    public List<Purchase> lazy(String what) {
      calls++;
      return purchases.findByWhat(what);
    }

    private static Offer offer(int number) {
      return new Offer("offer-" + number, List.of("a", "b"));
    }
  }
}
