package io.rockpool.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.LimitExceededException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SpaceNameTest {
  @Test
  void names() {
    for (String name : List.of("a", "shop/orders/by-day", "\ud83d\ude00", " ", "..")) {
      assertThat(SpaceName.check(name)).isSameAs(name);
    }
  }

  @Test
  void whatIsNoName() {
    for (String name :
        List.of("", "/", "/a", "a/", "a//b", "a\tb", "\u007f", "\ud83d", "a\ude00b")) {
      assertThatThrownBy(() -> SpaceName.check(name)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aNameIsMeasuredInBytes() {
    SpaceName.check("x".repeat(Limits.MAX_NAME_BYTES));
    SpaceName.check("\ud83d\ude00".repeat(Limits.MAX_NAME_BYTES / 4));
    for (String name :
        List.of(
            "x".repeat(Limits.MAX_NAME_BYTES + 1),
            "\ud83d\ude00".repeat(Limits.MAX_NAME_BYTES / 4) + "x")) {
      assertThatThrownBy(() -> SpaceName.check(name))
          .isInstanceOfSatisfying(
              LimitExceededException.class,
              e -> {
                assertThat(e.what()).isEqualTo("name");
                assertThat(e.limit()).isEqualTo(1024);
                assertThat(e.requested()).isEqualTo(1025);
                assertThat(e.name()).contains(name);
              })
          .hasMessageContaining("1025")
          .hasMessageContaining("1024");
    }
  }

  @Test
  void levels() {
    assertThat(SpaceName.levels("a")).containsExactly("a");
    assertThat(SpaceName.levels("shop/orders/by-day")).containsExactly("shop", "orders", "by-day");
  }

  @Test
  void belonging() {
    assertThat(SpaceName.isWithin("shop", "")).isTrue();
    assertThat(SpaceName.isWithin("shop", "shop")).isTrue();
    assertThat(SpaceName.isWithin("shop/a/b", "shop")).isTrue();
    assertThat(SpaceName.isWithin("shop/a/b", "shop/a")).isTrue();
    assertThat(SpaceName.isWithin("shopping", "shop")).isFalse();
    assertThat(SpaceName.isWithin("shop", "shop/a")).isFalse();
    assertThat(SpaceName.isWithin("a/shop", "shop")).isFalse();
  }
}
