package io.rockpool.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Range;
import com.google.common.net.HostAndPort;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.ListValue;
import com.google.protobuf.StringValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Timestamp;
import com.google.protobuf.Value;
import io.rockpool.Rockpool;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.Fallback;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.structure.PersistentMap;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.money.CurrencyUnit;
import javax.money.Monetary;
import org.javamoney.moneta.FastMoney;
import org.javamoney.moneta.Money;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import scala.Option;
import scala.Some;
import scala.Tuple2;
import scala.collection.immutable.Range$;
import scala.jdk.javaapi.CollectionConverters;
import scala.math.BigDecimal;
import scala.util.Left;
import scala.util.Right;

/**
 * Values of libraries that applications keep: each is read back as it was, with both serializers.
 */
class LibraryValuesTest {
  private static Map<String, Object> values() {
    Map<String, Object> values = new LinkedHashMap<>();
    List<String> list = List.of("a", "b", "c");
    var letters = CollectionConverters.asScala(list);
    var pairs = CollectionConverters.asScala(Map.of("k", 1, "l", 2));
    values.put("scala List", letters.toList());
    values.put("scala Nil", CollectionConverters.asScala(List.of()).toList());
    values.put("scala Vector", letters.toVector());
    values.put("scala Seq", letters.toSeq());
    values.put("scala Set", letters.toSet());
    values.put("scala large Set", CollectionConverters.asScala(numbers()).toSet());
    values.put("scala Map", pairs.toMap(scala.$less$colon$less$.MODULE$.refl()));
    values.put("scala Range", Range$.MODULE$.apply(1, 5));
    values.put("scala Some", new Some<>("a"));
    values.put("scala None", Option.empty());
    values.put("scala Tuple2", new Tuple2<>("a", 1));
    values.put("scala Left", new Left<>("a"));
    values.put("scala Right", new Right<>(1));
    values.put("scala BigDecimal", BigDecimal.exact("1.50"));
    CurrencyUnit euro = Monetary.getCurrency("EUR");
    values.put("currency", euro);
    values.put("Money", Money.of(12.34, euro));
    values.put("FastMoney", FastMoney.of(12.34, euro));
    values.put("list of Money", List.of(Money.of(1, euro), Money.of(2, euro)));
    values.put("StringValue", StringValue.of("a"));
    values.put("Timestamp", Timestamp.newBuilder().setSeconds(5).setNanos(6).build());
    values.put("Duration", Duration.newBuilder().setSeconds(5).build());
    Value number = Value.newBuilder().setNumberValue(1.5).build();
    values.put(
        "Struct",
        Struct.newBuilder()
            .putFields("n", number)
            .putFields(
                "l",
                Value.newBuilder().setListValue(ListValue.newBuilder().addValues(number)).build())
            .build());
    values.put("ByteString", ByteString.copyFromUtf8("a"));
    values.put("ImmutableMap", ImmutableMap.of("k", 1));
    values.put("ImmutableSet", ImmutableSet.of("a", "b"));
    values.put("ImmutableListMultimap", ImmutableListMultimap.of("k", 1, "k", 2));
    values.put("Range", Range.closed(1, 5));
    values.put("HostAndPort", HostAndPort.fromParts("host.invalid", 80));
    return values;
  }

  private static List<Integer> numbers() {
    return java.util.stream.IntStream.range(0, 50).boxed().toList();
  }

  @ParameterizedTest
  @EnumSource
  void areReadBackAsTheyWere(Fallback fallback, @TempDir Path directory) {
    Codecs codecs = Codecs.builder().fallback(fallback).build();
    Map<String, String> refused = new TreeMap<>();
    Map<String, Object> stored = new LinkedHashMap<>();
    try (Rockpool pool = Rockpool.at(directory).codecs(codecs).open()) {
      PersistentMap<String, Object> map = pool.map("m", String.class, Object.class);
      values()
          .forEach(
              (name, value) -> {
                try {
                  map.put(name, value);
                  stored.put(name, value);
                } catch (UnencodableValueException e) {
                  refused.put(name, String.valueOf(e.getMessage()));
                }
              });
    }
    try (Rockpool pool = Rockpool.at(directory).codecs(codecs).open()) {
      PersistentMap<String, Object> map = pool.map("m", String.class, Object.class);
      stored.forEach((name, value) -> assertThat(map.get(name)).as(name).isEqualTo(value));
    }
    assertThat(refused).isEmpty();
  }
}
