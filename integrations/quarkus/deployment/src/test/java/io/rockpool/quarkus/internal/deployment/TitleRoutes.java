package io.rockpool.quarkus.internal.deployment;

import io.vertx.ext.web.Router;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/** Makes a bean readable by HTTP. */
@ApplicationScoped
class TitleRoutes {
  void add(@Observes Router router, Titles titles) {
    router
        .get("/titles")
        .blockingHandler(
            request -> request.end(titles.find("1") + " " + titles.source() + titles.calls));
  }
}
