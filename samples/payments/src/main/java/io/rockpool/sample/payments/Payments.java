package io.rockpool.sample.payments;

import io.rockpool.Rockpool;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentMap;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * Moves money between accounts. Nothing here knows of repeated requests: those with an
 * Idempotency-Key are transactions, see {@code application.properties}.
 */
@RestController
class Payments {
  private final PersistentMap<String, Long> accounts;
  private final PersistentCounter made;

  Payments(Rockpool pool) {
    this.accounts = pool.map("payments/accounts", String.class, Long.class);
    this.made = pool.counter("payments/made");
  }

  @PostMapping("/payments")
  ResponseEntity<Receipt> pay(@RequestBody Payment payment) {
    accounts.merge(payment.from(), -payment.cents(), Long::sum);
    accounts.merge(payment.to(), payment.cents(), Long::sum);
    return ResponseEntity.status(HttpStatus.CREATED)
        .body(new Receipt(made.incrementAndGet(), payment));
  }

  @GetMapping("/accounts")
  Map<String, Long> accounts() {
    return new TreeMap<>(accounts);
  }
}
