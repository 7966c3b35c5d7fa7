package io.rockpool.sample.outbox;

import java.util.Locale;

/** A mail that confirms an order. */
public record Mail(long order, String to, String text) {
  static Mail confirming(Order order) {
    return new Mail(
        order.number(),
        order.customer() + "@customers.example",
        String.format(
            Locale.ROOT,
            "We have your order %d of %.2f.",
            order.number(),
            order.totalCents() / 100.0));
  }

  /** The Message-ID: the same each time the mail is sent, so that receivers know a repetition. */
  String id() {
    return "<order-" + order + "@shop.example>";
  }
}
