package io.rockpool.camel;

import org.apache.camel.AggregationStrategy;
import org.apache.camel.Exchange;

/** Joins the bodies of a group, as an application would. */
final class JoinBodies implements AggregationStrategy {
  @Override
  public Exchange aggregate(Exchange group, Exchange next) {
    if (group == null) {
      return next;
    }
    String joined = group.getIn().getBody(String.class) + "," + next.getIn().getBody(String.class);
    group.getIn().setBody(joined);
    return group;
  }
}
