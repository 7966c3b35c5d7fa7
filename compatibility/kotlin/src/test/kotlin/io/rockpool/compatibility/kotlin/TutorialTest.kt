package io.rockpool.compatibility.kotlin

import io.rockpool.Rockpool
import io.rockpool.cache.CacheExpiry
import io.rockpool.store.Durability
import io.rockpool.structure.DequeEnd
import io.rockpool.structure.ScoredElement
import java.nio.file.Path
import java.time.Duration.ofDays
import java.time.Duration.ofHours
import java.time.Duration.ofMinutes
import java.time.Duration.ofSeconds
import java.time.Instant
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

/** The programs of `docs/tutorial.md`. */
internal class TutorialTest {
  data class Session(val user: String)

  data class Product(val id: String, val cents: Long)

  data class Job(val task: String)

  private val pool = Rockpool.temporary().open()

  @AfterEach fun close() = pool.close()

  private fun load(id: String) = Product(id, 100)

  @Test
  fun sessionStore() {
    val sessions =
      pool.cache("sessions", String::class.java, Session::class.java) {
        it.expiry(CacheExpiry.afterAccess(ofMinutes(30)))
      }
    sessions.put("s-1", Session("ann"))
    val session: Session? = sessions.get("s-1")
    sessions.remove("s-1")
    assertThat(session).isEqualTo(Session("ann"))
    assertThat(sessions.get("s-1")).isNull()
  }

  @Test
  fun leaderboard() {
    val board = pool.scoredSet("game/board", String::class.java)
    board.incrementScore("ann", 120.0)
    board.incrementScore("bob", 80.0)
    val best = board.last(10)
    assertThat(best).containsExactly(ScoredElement("ann", 120.0), ScoredElement("bob", 80.0))
    assertThat(board.reverseRank("bob").asLong).isEqualTo(1)
  }

  @Test
  fun rateCounter() {
    val calls = pool.map("calls", String::class.java, Long::class.javaObjectType)
    val allowed = calls.increment("ann/1", 1, ofMinutes(2)) <= 100
    assertThat(allowed).isTrue()
    assertThat(calls["ann/1"]).isEqualTo(1L)
  }

  @Test
  fun workQueue() {
    val waiting = pool.deque("jobs/waiting", Job::class.java)
    val running = pool.deque("jobs/running", Job::class.java)
    waiting.addLast(Job("resize"))
    val job = waiting.takeFirstTo(running, DequeEnd.LAST)
    running.remove(job)
    assertThat(job).isEqualTo(Job("resize"))
    assertThat(running).isEmpty()
  }

  @Test
  fun timeSeries() {
    val now = Instant.parse("2026-01-01T12:00:00Z")
    val readings =
      pool.table("readings", String::class.java, Instant::class.java, Double::class.javaObjectType)
    readings.put("cellar", now, 12.5, ofDays(30))
    val lastHour = readings.row("cellar").tailMap(now.minus(ofHours(1)))
    assertThat(lastHour).isEqualTo(mapOf(now to 12.5))
  }

  @Test
  fun loadingCache() {
    val products = pool.cache("products", String::class.java, Product::class.java)
    val one = products.get("p-1") { load(it) }
    val some = products.getAll(listOf("p-1", "p-2")) { ids -> ids.associateWith { load(it) } }
    assertThat(one).isEqualTo(Product("p-1", 100))
    assertThat(some.keys).containsExactlyInAnyOrder("p-1", "p-2")
  }

  @Test
  fun staleWhileRevalidate() {
    val prices =
      pool.cache("prices", String::class.java, Product::class.java) {
        it.softTtl(ofMinutes(1)).expiry(CacheExpiry.afterWrite(ofHours(1)))
      }
    assertThat(prices.get("p-1") { load(it) }).isEqualTo(Product("p-1", 100))
  }

  @Test
  fun tagging() {
    val tags =
      pool.table("tags", String::class.java, String::class.java, Boolean::class.javaObjectType)
    tags.put("java", "article-1", true)
    tags.put("java", "article-2", true)
    tags.remove("java", "article-2")
    assertThat(tags.row("java").keys).containsExactly("article-1")
  }

  @Test
  fun atomicTransfer() {
    val accounts = pool.map("accounts", String::class.java, Long::class.javaObjectType)
    pool.runAtomically {
      accounts.merge("ann", -50L, Long::plus)
      accounts.merge("bob", 50L, Long::plus)
    }
    assertThat(accounts).isEqualTo(mapOf("ann" to -50L, "bob" to 50L))
  }

  @Test
  fun bulkLoadAndIterate() {
    val catalog = pool.map("catalog", String::class.java, Product::class.java)
    catalog.putAll((0L..9_999L).asSequence().map { "p-$it" to Product("p-$it", it) }.toMap())
    assertThat(catalog.values.sumOf { it.cents }).isEqualTo(49_995_000)
  }

  @Test
  fun openWithOptions(@TempDir directory: Path) {
    Rockpool.at(directory)
      .durability(Durability.SYNC)
      .memoryBytes(64L shl 20)
      .lockWait(ofSeconds(30))
      .open()
      .use { bank ->
        val mails = bank.deque("mails", Job::class.java) { it.entryTtl(ofDays(1)) }
        mails.add(Job("greet"))
      }
    Rockpool.open(directory).use { again ->
      assertThat(again.deque("mails", Job::class.java)).containsExactly(Job("greet"))
    }
  }
}
