package io.rockpool.sample.payments;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;

/** The service. */
@SpringBootApplication(proxyBeanMethods = false)
public class PaymentsApplication {
  /** Starts the service. */
  public static void main(String[] args) {
    SpringApplication.run(PaymentsApplication.class, args);
  }

  @Bean
  static ApplicationListener<WebServerInitializedEvent> address() {
    return event -> {
      System.out.println("Open http://127.0.0.1:" + event.getWebServer().getPort() + "/accounts");
      System.out.flush();
    };
  }
}
