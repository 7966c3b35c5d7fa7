package io.rockpool.compatibility.hibernate;

import jakarta.persistence.Cacheable;
import jakarta.persistence.CascadeType;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OrderBy;
import jakarta.persistence.Version;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;
import org.hibernate.annotations.Immutable;
import org.hibernate.annotations.NaturalId;
import org.hibernate.annotations.NaturalIdCache;

/** Entities of each concurrency strategy, with what second-level caches hold. */
final class Library {
  private Library() {}

  enum Genre {
    NOVEL,
    POEM
  }

  @Entity(name = "Country")
  @Immutable
  @Cacheable
  @Cache(usage = CacheConcurrencyStrategy.READ_ONLY)
  static class Country {
    @Id String code;
    String name;

    Country() {}

    Country(String code, String name) {
      this.code = code;
      this.name = name;
    }
  }

  @Entity(name = "Author")
  @Cacheable
  @Cache(usage = CacheConcurrencyStrategy.NONSTRICT_READ_WRITE)
  static class Author {
    @Id UUID id = UUID.randomUUID();
    String name;
    LocalDate born;

    @ManyToOne(fetch = FetchType.LAZY)
    Country country;

    @ElementCollection
    @Cache(usage = CacheConcurrencyStrategy.NONSTRICT_READ_WRITE)
    Set<String> aliases = new HashSet<>();

    Author() {}

    Author(String name, LocalDate born, Country country) {
      this.name = name;
      this.born = born;
      this.country = country;
    }
  }

  @Entity(name = "Book")
  @Cacheable
  @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
  @NaturalIdCache
  static class Book {
    @Id Long id;
    @NaturalId String isbn;
    @Version int version;
    String title;
    BigDecimal price;
    Genre genre;
    byte[] cover;

    @ManyToOne(fetch = FetchType.LAZY)
    Author author;

    @OneToMany(mappedBy = "book", cascade = CascadeType.ALL)
    @OrderBy("id.number")
    @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
    List<Chapter> chapters = new ArrayList<>();

    @ElementCollection
    @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
    Map<String, Integer> ratings = new HashMap<>();

    Book() {}

    Book(long id, String isbn, String title, Author author) {
      this.id = id;
      this.isbn = isbn;
      this.title = title;
      this.author = author;
      this.price = new BigDecimal("9.90");
      this.genre = Genre.POEM;
      this.cover = new byte[] {1, 2, 3};
    }
  }

  @Embeddable
  static class ChapterId implements Serializable {
    private static final long serialVersionUID = 1L;

    long bookId;
    int number;

    ChapterId() {}

    ChapterId(long bookId, int number) {
      this.bookId = bookId;
      this.number = number;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof ChapterId that && bookId == that.bookId && number == that.number;
    }

    @Override
    public int hashCode() {
      return Objects.hash(bookId, number);
    }
  }

  @Entity(name = "Chapter")
  @Cacheable
  @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
  static class Chapter {
    @EmbeddedId ChapterId id;
    String heading;

    @ManyToOne(fetch = FetchType.LAZY)
    Book book;

    Chapter() {}

    Chapter(Book book, int number, String heading) {
      this.id = new ChapterId(book.id, number);
      this.book = book;
      this.heading = heading;
    }
  }
}
