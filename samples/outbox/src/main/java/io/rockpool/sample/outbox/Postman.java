package io.rockpool.sample.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rockpool.queue.Delivery;
import io.rockpool.queue.QueueHandler;
import jakarta.mail.Message.RecipientType;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.MimeMessage;
import java.util.Map;
import java.util.Properties;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;

/**
 * Sends mails to an SMTP server, each at least once. A mail leaves the outbox when the server has
 * it. If the process is killed in between, or the answer is lost, it is sent again.
 */
final class Postman implements QueueHandler<Mail> {
  /** SMTP codes from here on say that trying again is useless. */
  private static final int PERMANENT = 500;

  private static final String TIMEOUT_MILLIS = "5000";

  private final Shop shop;
  private final Session session;
  private final Runnable onSent;

  /**
   * A postman of a shop.
   *
   * @param onSent runs for each mail that the server has, before the shop knows it
   */
  Postman(Shop shop, String host, int port, Runnable onSent) {
    this.shop = shop;
    this.onSent = onSent;
    Properties properties = new Properties();
    properties.putAll(
        Map.of(
            "mail.smtp.host", host,
            "mail.smtp.port", String.valueOf(port),
            "mail.smtp.connectiontimeout", TIMEOUT_MILLIS,
            "mail.smtp.timeout", TIMEOUT_MILLIS));
    this.session = Session.getInstance(properties);
  }

  /** Sends a mail. What it throws makes the queue deliver the mail again, after a while. */
  @Override
  public void handle(Delivery<Mail> delivery) throws MessagingException {
    try {
      Transport.send(message(delivery.message()));
    } catch (SMTPSendFailedException e) {
      if (e.getReturnCode() < PERMANENT) {
        throw e;
      }
      delivery.reject(e.toString());
      return;
    }
    onSent.run();
    shop.mailed(delivery);
  }

  private MimeMessage message(Mail mail) throws MessagingException {
    MimeMessage message =
        new MimeMessage(session) {
          @Override
          protected void updateMessageID() throws MessagingException {
            setHeader("Message-ID", mail.id());
          }
        };
    message.setFrom("orders@shop.example");
    message.setRecipients(RecipientType.TO, mail.to());
    message.setSubject("Your order", UTF_8.name());
    message.setText(mail.text(), UTF_8.name());
    return message;
  }
}
