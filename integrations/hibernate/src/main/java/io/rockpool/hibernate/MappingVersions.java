package io.rockpool.hibernate;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hibernate.Version;
import org.hibernate.boot.Metadata;
import org.hibernate.cache.cfg.spi.DomainDataCachingConfig;
import org.hibernate.cache.cfg.spi.DomainDataRegionConfig;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.IndexedCollection;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.Selectable;
import org.hibernate.mapping.Value;
import org.hibernate.type.BasicPluralType;
import org.hibernate.type.ComponentType;
import org.hibernate.type.EntityType;
import org.hibernate.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * Versions of regions: a hash of what the entries of a region depend on. That is Hibernate's
 * version and, in their order, the attributes of the entities and collections, with their types and
 * columns. A reference has the identifier of the other entity.
 */
final class MappingVersions {
  private static final int BYTES = 8;

  /** In the names of types: how many Hibernate made before in this process. */
  private static final Pattern COUNT = Pattern.compile("(?<=basicType@)\\d+");

  private final Metadata metadata;

  MappingVersions(Metadata metadata) {
    this.metadata = metadata;
  }

  /** Returns the version of a region of entities, natural identifiers and collections. */
  String of(DomainDataRegionConfig region) {
    Set<String> lines = new TreeSet<>();
    Stream.of(
            region.getEntityCaching(), region.getNaturalIdCaching(), region.getCollectionCaching())
        .flatMap(List::stream)
        .map(DomainDataCachingConfig::getNavigableRole)
        .forEach(role -> lines.add(lineOf(role.getFullPath())));
    return hash(lines);
  }

  /** What the entries of a role depend on. */
  String lineOf(String role) {
    Collection collection = metadata.getCollectionBinding(role);
    if (collection != null) {
      return describe(collection);
    }
    PersistentClass entity = metadata.getEntityBinding(role);
    return entity == null ? role : describe(entity.getRootClass());
  }

  /** Returns the version of regions of query results, which may hold any attribute. */
  String ofQueries() {
    Set<String> lines = new TreeSet<>();
    metadata.getEntityBindings().forEach(it -> lines.add(describe(it)));
    metadata.getCollectionBindings().forEach(it -> lines.add(describe(it)));
    return hash(lines);
  }

  private static String hash(Set<String> lines) {
    String text = Version.getVersionString() + "\n" + String.join("\n", lines);
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256.", e);
    }
  }

  /** An entity with its subclasses, whose entries share its region. */
  private String describe(PersistentClass entity) {
    return Stream.concat(Stream.of(entity), entity.getSubclassClosure().stream())
        .distinct()
        .map(
            it ->
                it.getEntityName()
                    + " id "
                    + describe(it.getIdentifier())
                    + it.getPropertyClosure().stream()
                        .map(this::describe)
                        .collect(Collectors.joining("; ", " {", "}")))
        .collect(Collectors.joining(" "));
  }

  private String describe(Property property) {
    return property.getName()
        + (property.isNaturalIdentifier() ? " natural " : " ")
        + describe(property.getValue());
  }

  private String describe(Collection collection) {
    String index =
        collection instanceof IndexedCollection indexed ? describe(indexed.getIndex()) : "";
    return collection.getRole()
        + " of "
        + describe(collection.getElement())
        + " by "
        + index
        + " in "
        + describe(collection.getKey());
  }

  private String describe(@Nullable Value value) {
    if (value == null) {
      return "none";
    }
    String columns =
        value.getSelectables().stream().map(Selectable::getText).collect(Collectors.joining(","));
    return describe(value.getType()) + "(" + columns + ")";
  }

  private String describe(Type type) {
    if (type instanceof ComponentType component) {
      String[] names = component.getPropertyNames();
      Type[] types = component.getSubtypes();
      StringBuilder text = new StringBuilder("{");
      for (int i = 0; i < names.length; i++) {
        text.append(names[i]).append(' ').append(describe(types[i])).append("; ");
      }
      return text.append('}').toString();
    }
    if (type instanceof EntityType reference && !type.isAnyType()) {
      // An entry has the identifier of the other entity.
      String entity = reference.getAssociatedEntityName();
      PersistentClass other = metadata.getEntityBinding(entity);
      return entity + " by " + (other == null ? "none" : describe(other.getIdentifier()));
    }
    Class<?> returned = type.getReturnedClass();
    if (type instanceof BasicPluralType<?, ?> plural) {
      return returned.getName() + " of " + describe(plural.getElementType());
    }
    String name = COUNT.matcher(type.getName()).replaceAll("");
    return name + ' ' + returned.getName() + (returned.isEnum() ? names(returned) : "");
  }

  /** The names of constants: their texts may depend on the language. */
  private static List<String> names(Class<?> type) {
    return Stream.of(type.getEnumConstants()).map(it -> ((Enum<?>) it).name()).toList();
  }
}
