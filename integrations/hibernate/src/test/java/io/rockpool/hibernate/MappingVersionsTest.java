package io.rockpool.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Convert;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Lob;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.annotations.NaturalId;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.dialect.H2Dialect;
import org.hibernate.type.SqlTypes;
import org.junit.jupiter.api.Test;

/** What the versions of regions depend on. */
final class MappingVersionsTest {
  /** Constants whose texts are for people, such as those of a language. */
  enum Colour {
    RED,
    GREEN;

    private static String language = "en";

    @Override
    public String toString() {
      return language + " " + name();
    }
  }

  record Plate(String text) {}

  static final class PlateConverter implements AttributeConverter<Plate, String> {
    @Override
    public String convertToDatabaseColumn(Plate plate) {
      return plate.text();
    }

    @Override
    public Plate convertToEntityAttribute(String text) {
      return new Plate(text);
    }
  }

  @Embeddable
  record Paint(Colour base, @Enumerated(EnumType.STRING) Colour top) {}

  /** Attributes of many kinds. */
  @Entity
  static class Car {
    @Id UUID id;
    Colour colour;

    @Enumerated(EnumType.STRING)
    Colour roof;

    Colour[] doors;
    List<Colour> wheels;
    Paint paint;

    @Convert(converter = PlateConverter.class)
    Plate plate;

    @ElementCollection List<Colour> history;
    @ElementCollection Map<Colour, Paint> offers;

    @ElementCollection
    @Convert(converter = PlateConverter.class)
    Set<Plate> plates;

    @JdbcTypeCode(SqlTypes.JSON)
    Map<String, Colour> details;

    Duration age;
    OffsetDateTime built;
    ZonedDateTime sold;
    Instant seen;
    byte[] photo;
    @Lob String story;
    BigDecimal price;
    Currency currency;
    Locale locale;
    Class<?> type;
    Serializable any;
    @ManyToOne Car twin;
    @OneToMany List<Car> others;
    @NaturalId Colour natural;
  }

  private static String version() {
    try (StandardServiceRegistry registry =
        new StandardServiceRegistryBuilder()
            .applySetting("hibernate.dialect", H2Dialect.class.getName())
            .applySetting("hibernate.boot.allow_jdbc_metadata_access", false)
            .build()) {
      Metadata metadata =
          new MetadataSources(registry).addAnnotatedClass(Car.class).buildMetadata();
      return new MappingVersions(metadata).ofQueries();
    }
  }

  @Test
  void itIsTheSameForTheNextSessionFactory() {
    assertThat(version()).isEqualTo(version());
  }

  @Test
  void theTextOfAConstantIsNoPartOfAVersion() {
    String before = version();
    Colour.language = "pt";
    assertThat(version()).isEqualTo(before);
  }
}
