package io.rockpool.compatibility.kotlin

import io.rockpool.Rockpool
import io.rockpool.spring.RockpoolCacheManager
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import org.springframework.cache.annotation.CacheEvict
import org.springframework.cache.annotation.CachePut
import org.springframework.cache.annotation.Cacheable
import org.springframework.cache.annotation.EnableCaching
import org.springframework.context.annotation.AnnotationConfigApplicationContext
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration

/** Spring's cache annotations on suspending functions, with results that outlive the application. */
internal class SuspendingCacheableTest {
  data class Book(val isbn: String, val edition: Int)

  open class Library {
    open val calls = AtomicInteger()

    @Cacheable("books")
    open suspend fun find(isbn: String): Book {
      delay(20)
      return Book(isbn, calls.incrementAndGet())
    }

    @Cacheable("books", sync = true)
    open suspend fun findOnce(isbn: String): Book {
      delay(50)
      return Book(isbn, calls.incrementAndGet())
    }

    @Cacheable("absent")
    open suspend fun findOrNull(isbn: String): Book? {
      delay(5)
      calls.incrementAndGet()
      return null
    }

    @CachePut("books", key = "#book.isbn")
    open suspend fun save(book: Book): Book {
      delay(5)
      return book
    }

    @CacheEvict("books")
    open suspend fun remove(isbn: String) {
      delay(5)
    }

    @Cacheable("books")
    open suspend fun fail(isbn: String): Book {
      delay(5)
      calls.incrementAndGet()
      throw IllegalStateException(isbn)
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableCaching
  open class Application {
    @Bean open fun library() = Library()

    @Bean open fun cacheManager(pool: Rockpool) = RockpoolCacheManager(pool)
  }

  @TempDir lateinit var directory: Path

  private fun run(work: suspend (Library) -> Unit) {
    Rockpool.open(directory).use { pool ->
      AnnotationConfigApplicationContext().use { context ->
        context.beanFactory.registerSingleton("pool", pool)
        context.register(Application::class.java)
        context.refresh()
        runBlocking { work(context.getBean(Library::class.java)) }
      }
    }
  }

  @Test
  fun resultsOutliveTheApplication() {
    run { library ->
      assertThat(library.find("1")).isEqualTo(Book("1", 1))
      assertThat(library.find("1")).isEqualTo(Book("1", 1))
      library.save(Book("2", 7))
    }
    run { library ->
      assertThat(library.find("1")).isEqualTo(Book("1", 1))
      assertThat(library.find("2")).isEqualTo(Book("2", 7))
      assertThat(library.calls.get()).isZero()
      library.remove("1")
      assertThat(library.find("1")).isEqualTo(Book("1", 1))
      assertThat(library.calls.get()).isOne()
    }
  }

  @Test
  fun nullIsKept() = run { library ->
    assertThat(library.findOrNull("1")).isNull()
    assertThat(library.findOrNull("1")).isNull()
    assertThat(library.calls.get()).isOne()
  }

  @Test
  fun syncCallsOnceForAll() = run { library ->
    val found = runBlocking { (1..16).map { async { library.findOnce("1") } }.awaitAll() }
    assertThat(found).containsOnly(Book("1", 1))
  }

  @Test
  fun aFailureIsNotKept() = run { library ->
    for (call in 1..2) {
      assertThatThrownBy { runBlocking { library.fail("1") } }.isInstanceOf(IllegalStateException::class.java)
      assertThat(library.calls.get()).isEqualTo(call)
    }
  }
}
