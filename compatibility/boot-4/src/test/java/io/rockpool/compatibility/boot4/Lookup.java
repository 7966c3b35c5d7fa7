package io.rockpool.compatibility.boot4;

import io.rockpool.compatibility.boot4.Shop.Offer;
import io.rockpool.compatibility.boot4.Shop.OrderId;
import io.rockpool.compatibility.boot4.Shop.Size;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.Sort;
import org.springframework.stereotype.Service;

/** Methods with parameters of many classes. */
@Service
class Lookup {
  private final AtomicInteger calls = new AtomicInteger();

  /** How many calls reached these methods; a method, since the proxy has fields of its own. */
  public int calls() {
    return calls.get();
  }

  private String called(String method) {
    calls.incrementAndGet();
    return method;
  }

  @Cacheable("keys-none")
  public String none() {
    return called("none");
  }

  /** Keys of one cache, of any class. */
  @Cacheable("keys-any")
  public String any(Object key) {
    return called("any " + (key == null ? null : key.getClass().getSimpleName()));
  }

  @Cacheable("keys-three")
  public String three(String text, Size size, Set<Long> numbers) {
    return called("three " + text + size + numbers.size());
  }

  @Cacheable("keys-arrays")
  public String arrays(String[] texts, int[] numbers, OrderId... ids) {
    return called("arrays " + texts.length + numbers.length + ids.length);
  }

  @Cacheable("keys-pageable")
  public String pageable(Pageable pageable, Sort sort) {
    return called("pageable " + pageable.isPaged() + sort);
  }

  @Cacheable(cacheNames = "keys-spel", key = "#offer.name + ':' + #size")
  public String text(Offer offer, Size size) {
    return called("text " + offer.name() + size);
  }

  @Cacheable(cacheNames = "keys-spel", key = "{#root.methodName, #a, #size?.name()}")
  public String list(String a, Size size) {
    return called("list " + a + size);
  }

  @Cacheable(cacheNames = "keys-spel", key = "#p0.length() * 10 + #p1")
  public String number(String a, int b) {
    return called("number " + a + b);
  }

  @Cacheable(cacheNames = "keys-generated", keyGenerator = "byMethod")
  public String generated(String a, OrderId id) {
    return called("generated " + a);
  }
}
