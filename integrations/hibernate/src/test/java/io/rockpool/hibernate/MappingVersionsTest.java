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
import jakarta.persistence.ManyToMany;
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
import java.util.function.Function;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.annotations.NaturalId;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.dialect.H2Dialect;
import org.hibernate.type.SqlTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the versions of regions depend on. */
@SuppressWarnings("SameNameButDifferent") // two mappings of one name
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

  /** Two mappings that differ in the type of an identifier which another entity refers to. */
  static final class Before {
    @Entity
    static class Owner {
      @Id long id;
    }

    @Embeddable
    static class Deal {
      @ManyToOne Owner buyer;
    }

    @Entity
    static class Boat {
      @Id long id;
      @ManyToOne Owner owner;
    }

    @Entity
    static class Ship {
      @Id long id;
      Deal deal;
    }

    @Entity
    static class Port {
      @Id long id;
      @ManyToMany List<Owner> owners;
    }
  }

  static final class After {
    @Entity
    static class Owner {
      @Id UUID id;
    }

    @Embeddable
    static class Deal {
      @ManyToOne Owner buyer;
    }

    @Entity
    static class Boat {
      @Id long id;
      @ManyToOne Owner owner;
    }

    @Entity
    static class Ship {
      @Id long id;
      Deal deal;
    }

    @Entity
    static class Port {
      @Id long id;
      @ManyToMany List<Owner> owners;
    }
  }

  private static <T> T with(Function<Metadata, T> use, Class<?>... entities) {
    try (StandardServiceRegistry registry =
        new StandardServiceRegistryBuilder()
            .applySetting("hibernate.dialect", H2Dialect.class.getName())
            .applySetting("hibernate.boot.allow_jdbc_metadata_access", false)
            .build()) {
      return use.apply(new MetadataSources(registry).addAnnotatedClasses(entities).buildMetadata());
    }
  }

  private static String version() {
    return with(metadata -> new MappingVersions(metadata).ofQueries(), Car.class);
  }

  /** What the version of a region with one of the two mappings depends on. */
  private static String text(Class<?> mapping, String role) {
    return with(
        metadata -> new MappingVersions(metadata).lineOf(mapping.getName() + "$" + role),
        mapping.getDeclaredClasses());
  }

  @ParameterizedTest
  @ValueSource(strings = {"Boat", "Ship", "Port.owners"})
  void aReferenceCountsWithTheIdentifierOfItsEntity(String role) {
    assertThat(text(Before.class, role).replace("$Before$", "$After$"))
        .isNotEqualTo(text(After.class, role));
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
