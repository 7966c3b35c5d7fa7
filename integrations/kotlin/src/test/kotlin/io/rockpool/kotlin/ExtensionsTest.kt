package io.rockpool.kotlin

import io.rockpool.Rockpool
import io.rockpool.change.ChangeOptions
import io.rockpool.queue.Schedule
import io.rockpool.structure.DequeEnd
import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration
import java.time.Instant
import java.time.ZoneOffset
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.withTimeoutOrNull
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.io.TempDir

@Timeout(120)
internal class ExtensionsTest {
  data class Order(val id: String, val cents: Long)

  @TempDir lateinit var directory: Path

  private fun withPool(test: (Rockpool) -> Unit) = Rockpool.open(directory).use(test)

  @Test
  fun eachKindIsOpenedWithTheTypesOfTheCall() {
    repeat(2) { run ->
      withPool { pool ->
        val orders = pool.map<String, Order>("orders")
        val lists = pool.map<String, List<Order>>("lists") { it.entryTtl(Duration.ofHours(1)) }
        val cache = pool.cache<Long, Map<String, List<Order>>>("cache") { it.hotEntries(10) }
        val table = pool.table<String, Int, Order>("table")
        val deque = pool.deque<Order>("deque")
        val set = pool.set<String>("set")
        val sorted = pool.sortedMap<Int, String>("sorted")
        val sortedSet = pool.sortedSet<Int>("sortedSet")
        val scores = pool.scoredSet<String>("scores")
        val value = pool.value<Order>("value")
        val queue = pool.queue<Order>("queue") { it.visibilityTimeout(Duration.ofMinutes(1)) }
        pool.timer<String>("timer", Schedule.cron("@daily", ZoneOffset.UTC))
        if (run == 0) {
          orders["a"] = Order("a", 1)
          lists["a"] = listOf(Order("a", 1), Order("b", 2))
          cache.put(1, mapOf("x" to listOf(Order("x", 3))))
          table.put("row", 1, Order("t", 4))
          deque.add(Order("d", 5))
          set.add("s")
          sorted[2] = "two"
          sortedSet.add(3)
          scores.add("ann", 1.5)
          value.set(Order("v", 6))
          queue.send(Order("q", 7))
        }
        assertThat(orders["a"]).isEqualTo(Order("a", 1))
        assertThat(lists["a"]).containsExactly(Order("a", 1), Order("b", 2))
        assertThat(cache.get(1)).isEqualTo(mapOf("x" to listOf(Order("x", 3))))
        assertThat(table.get("row", 1)).isEqualTo(Order("t", 4))
        assertThat(deque.peekFirst()).isEqualTo(Order("d", 5))
        assertThat(set).containsExactly("s")
        assertThat(sorted.firstKey()).isEqualTo(2)
        assertThat(sortedSet.first()).isEqualTo(3)
        assertThat(scores.score("ann").asDouble).isEqualTo(1.5)
        assertThat(value.get()).isEqualTo(Order("v", 6))
        assertThat(queue.size()).isEqualTo(1)
      }
    }
  }

  @Test
  fun aMissingValueIsLoadedOnceAndANullIsNotStored() = withPool { pool ->
    val cache = pool.cache<String, Order>("orders")
    val loads = AtomicInteger()
    val go = CompletableDeferred<Unit>()
    runBlocking {
      val all =
        List(8) {
          async(Dispatchers.Default) {
            val order: Order =
              cache.getOrLoad("a") { id ->
                loads.incrementAndGet()
                go.await()
                Order(id, 1)
              }
            order
          }
        }
      delay(100)
      go.complete(Unit)
      assertThat(all.awaitAll()).containsOnly(Order("a", 1))
      assertThat(loads.get()).isEqualTo(1)
      val none: Order? = cache.getOrLoad("b") { null as Order? }
      assertThat(none).isNull()
      assertThat(cache.get("b")).isNull()
      assertThat(cache.get("a")).isEqualTo(Order("a", 1))
    }
    assertThatThrownBy {
        runBlocking { cache.getOrLoad("c") { throw IllegalArgumentException("no") } }
      }
      .isInstanceOf(IllegalArgumentException::class.java)
      .hasMessage("no")
  }

  @Test
  fun aCancelledCallerLeavesTheLoadToOthers() = withPool { pool ->
    val cache = pool.cache<String, String>("orders")
    val began = CountDownLatch(1)
    val go = CompletableDeferred<Unit>()
    runBlocking(Dispatchers.Default) {
      val first = launch {
        cache.getOrLoad("a") {
          began.countDown()
          go.await()
          "loaded"
        }
      }
      began.await()
      val second = async { cache.getOrLoad("a") { "not called" } }
      delay(50)
      first.cancelAndJoin()
      go.complete(Unit)
      assertThat(second.await()).isEqualTo("loaded")
    }
  }

  @Test
  fun elementsAreAwaitedAndNoneIsLostByCancellation() = withPool { pool ->
    val deque = pool.deque<Int>("deque")
    val count = 300
    val taken = mutableListOf<Int>()
    runBlocking(Dispatchers.Default) {
      val sender = launch(Dispatchers.IO) { repeat(count) { deque.addLast(it) } }
      // An element whose taker was cancelled is there again a moment later.
      while (taken.size < count) {
        // The element is kept inside of the block: withTimeoutOrNull can drop the result of one that ends as time is up.
        withTimeoutOrNull((0L..3L).random()) { taken.add(deque.awaitFirst()) }
      }
      sender.join()
    }
    assertThat(taken).containsExactlyInAnyOrderElementsOf((0 until count).toList())
    assertThat(deque).isEmpty()
  }

  @Test
  fun anElementReturnsToAFullDequeWithItsExpiry() {
    var now = Instant.parse("2026-01-01T00:00:00Z")
    Rockpool.at(directory).clock { now }.open().use { pool ->
      for (end in DequeEnd.entries) {
        val deque = pool.deque<Int>("deque $end") { it.capacity(1) }
        runBlocking {
          val taker = launch {
            if (end == DequeEnd.FIRST) deque.awaitFirst() else deque.awaitLast()
          }
          yield()
          deque.offerLastExpiring(1, Duration.ofHours(1))
          while (!deque.isEmpty()) {
            Thread.sleep(1) // the taker cannot go on
          }
          deque.add(2)
          taker.cancelAndJoin()
        }
        val all = if (end == DequeEnd.FIRST) listOf(1, 2) else listOf(2, 1)
        awaitUntil { deque.toList() == all }
        now += Duration.ofHours(1)
        assertThat(deque).containsExactly(2)
      }
    }
  }

  private fun awaitUntil(isSo: () -> Boolean) {
    val end = System.nanoTime() + Duration.ofSeconds(20).toNanos()
    while (!isSo()) {
      assertThat(System.nanoTime()).isLessThan(end)
      Thread.sleep(1)
    }
  }

  @Test
  fun aWaiterIsReleasedByItsCancellation() = withPool { pool ->
    val deque = pool.deque<Int>("deque")
    val queue = pool.queue<Int>("queue")
    runBlocking(Dispatchers.Default) {
      val waiters =
        listOf(
          launch { deque.awaitFirst() },
          launch { deque.awaitLast() },
          launch { queue.awaitMessage() },
          launch { queue.messages().collect {} },
        )
      delay(100)
      withTimeout(60_000) { waiters.forEach { it.cancelAndJoin() } }
      deque.add(1)
      queue.send(2)
      assertThat(deque.awaitLast()).isEqualTo(1)
      val message = withTimeout(60_000) { queue.awaitMessage() }
      assertThat(message.message()).isEqualTo(2)
      message.acknowledge()
    }
  }

  @Test
  fun messagesAndChangesAreFlows() = withPool { pool ->
    val queue = pool.queue<String>("queue")
    val map = pool.map<String, Int>("map") { it.changes(ChangeOptions.keep(Duration.ofDays(1))) }
    val feed = pool.changes<String, Int>("map")
    runBlocking(Dispatchers.Default) {
      val received = async {
        queue.messages().take(3).map { it.message().also { _ -> it.acknowledge() } }.toList()
      }
      val changes = async { feed.changesFrom(feed.oldest()).take(2).map { it.value() }.toList() }
      listOf("a", "b", "c").forEach { queue.send(it) }
      map["a"] = 1
      map["a"] = 2
      assertThat(withTimeout(60_000) { received.await() }).containsExactly("a", "b", "c")
      assertThat(withTimeout(60_000) { changes.await() }).containsExactly(1, 2)
      assertThat(queue.size()).isZero()
    }
  }

  private class Database {
    fun find(id: String) = Order(id, 1)

    fun findOrNull(id: String): Order? = if (id == "b") null else find(id)
  }

  @Test
  fun theExamplesOfThePageRun() = withPool { pool ->
    val cache = pool.cache<String, Order>("cache")
    val database = Database()
    runBlocking {
      val order: Order = cache.getOrLoad("a") { id -> database.find(id) }
      val none: Order? = cache.getOrLoad("b") { database.findOrNull(it) }
      assertThat(order).isEqualTo(Order("a", 1))
      assertThat(none).isNull()
    }
    val test = Files.readAllLines(Path.of("src/test/kotlin/io/rockpool/kotlin/ExtensionsTest.kt"))
    val page = Files.readString(Path.of("../../docs/kotlin.md"))
    val examples = Regex("```kotlin\n(.*?)```", RegexOption.DOT_MATCHES_ALL).findAll(page)
    val lines = examples.flatMap { it.groupValues[1].lines() }.filter { it.startsWith("val ") }
    assertThat(lines.toList()).hasSize(5).isSubsetOf(test.map { it.trim() })
  }
}
