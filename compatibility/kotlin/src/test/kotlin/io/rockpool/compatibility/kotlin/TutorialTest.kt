package io.rockpool.compatibility.kotlin

import io.rockpool.Rockpool
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

/** The programs of the tutorial. */
internal class TutorialTest {
  @Test
  fun aMap() {
    Rockpool.temporary().open().use { pool ->
      val map = pool.map("m", String::class.java, String::class.java)
      map["a"] = "b"
      assertThat(map["a"]).isEqualTo("b")
    }
  }
}
