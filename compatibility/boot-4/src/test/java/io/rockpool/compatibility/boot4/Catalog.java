package io.rockpool.compatibility.boot4;

import io.rockpool.compatibility.boot4.Shop.Customer;
import io.rockpool.compatibility.boot4.Shop.Customers;
import io.rockpool.compatibility.boot4.Shop.Offer;
import io.rockpool.compatibility.boot4.Shop.Price;
import io.rockpool.compatibility.boot4.Shop.Purchase;
import io.rockpool.compatibility.boot4.Shop.Purchases;
import io.rockpool.compatibility.boot4.Shop.Question;
import io.rockpool.compatibility.boot4.Shop.Size;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageImpl;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.Slice;
import org.springframework.data.domain.SliceImpl;
import org.springframework.data.domain.Sort;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Methods that return values of many classes. */
@Service
class Catalog {
  private final Customers customers;
  private final Purchases purchases;
  private final String owner;
  private final AtomicInteger calls = new AtomicInteger();

  Catalog(
      Customers customers, Purchases purchases, @Value("${shop.owner:the service}") String owner) {
    this.customers = customers;
    this.purchases = purchases;
    this.owner = owner;
  }

  /** How many calls reached these methods; a method, since the proxy has fields of its own. */
  public int calls() {
    return calls.get();
  }

  private <V> V called(V value) {
    calls.incrementAndGet();
    return value;
  }

  @Transactional
  public void fill() {
    if (customers.count() == 0) {
      Customer ann = customers.save(new Customer("ann"));
      customers.save(new Customer("bob"));
      purchases.save(new Purchase(ann, "pear"));
    }
  }

  /** Says which application has called it first. */
  @Cacheable("owners")
  public String owner(String key) {
    return called(owner);
  }

  @Cacheable("entities")
  public Customer customer(String name) {
    return called(customers.findAll().stream().filter(it -> it.name.equals(name)).findAny().get());
  }

  @Cacheable("entity-lists")
  public List<Customer> customers() {
    return called(customers.findAll(Sort.by("name")));
  }

  @Cacheable("entity-optionals")
  public Optional<Customer> byId(Long id) {
    return called(customers.findById(id));
  }

  @Cacheable("pages")
  public Page<Customer> page(Pageable pageable) {
    return called(customers.findAll(pageable));
  }

  @Cacheable("page-impls")
  public Page<Offer> offers(PageRequest request) {
    return called(new PageImpl<>(List.of(offer(1), offer(2)), request, 17));
  }

  @Cacheable("slices")
  public Slice<Offer> slice(int number) {
    return called(new SliceImpl<>(List.of(offer(number)), PageRequest.of(number, 1), true));
  }

  @Cacheable("json")
  public JsonNode json(String text) {
    return called(JsonMapper.shared().readTree(text));
  }

  @Cacheable("responses")
  public ResponseEntity<Offer> response(int number) {
    return called(ResponseEntity.ok().header("X-Number", "" + number).body(offer(number)));
  }

  @Cacheable("response-lists")
  public ResponseEntity<List<Offer>> responses() {
    return called(ResponseEntity.status(HttpStatus.CREATED).body(List.of(offer(1))));
  }

  @Cacheable("empty-responses")
  public ResponseEntity<Void> emptyResponse() {
    return called(ResponseEntity.noContent().build());
  }

  @Cacheable("records")
  public Offer record(Question question, LocalDate day) {
    return called(offer(question.numbers().size()));
  }

  @Cacheable("record-lists")
  public List<Price> prices(Size size) {
    return called(List.of(new Price(new BigDecimal("1.50"), size), price(Size.SMALL)));
  }

  @Cacheable("maps")
  public Map<Size, Map<String, Duration>> map() {
    Map<Size, Map<String, Duration>> map = new EnumMap<>(Size.class);
    map.put(Size.LARGE, Map.of("a", Duration.ofMillis(1)));
    return called(map);
  }

  @Cacheable("arrays")
  public Price[] array(byte[] bytes) {
    return called(new Price[] {price(Size.LARGE), null});
  }

  @Cacheable("nulls")
  public Offer nothing(String name) {
    return called(null);
  }

  @Cacheable("optionals")
  public Optional<Offer> optional(long number) {
    return called(number < 0 ? Optional.empty() : Optional.of(offer((int) number)));
  }

  @Cacheable("lists")
  public List<String> listWithNull() {
    return called(Arrays.asList("a", null, "c").stream().toList());
  }

  @Cacheable("futures")
  public CompletableFuture<Offer> future(int number) {
    calls.incrementAndGet();
    return CompletableFuture.supplyAsync(() -> number < 0 ? null : offer(number));
  }

  @Cacheable("monos")
  public Mono<Offer> mono(int number) {
    return Mono.fromSupplier(() -> called(number < 0 ? null : offer(number)));
  }

  @Cacheable("fluxes")
  public Flux<Offer> flux(int count) {
    return Flux.range(1, count).doOnSubscribe(it -> calls.incrementAndGet()).map(Catalog::offer);
  }

  @Cacheable(cacheNames = "synchronized", sync = true)
  public Price synchronizedPrice(Size size) {
    return called(price(size));
  }

  /** Has a proxy that nobody has initialised: hopeless as a value. */
  @Cacheable("lazy")
  public List<Purchase> lazy(String what) {
    return called(purchases.findByWhat(what));
  }

  private static Offer offer(int number) {
    return new Offer("offer-" + number, List.of("a", "b"));
  }

  private static Price price(Size size) {
    return new Price(BigDecimal.TEN, size);
  }
}
