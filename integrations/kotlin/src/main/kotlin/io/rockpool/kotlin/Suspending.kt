package io.rockpool.kotlin

import io.rockpool.cache.PersistentCache
import io.rockpool.change.ChangeEvent
import io.rockpool.change.ChangeFeed
import io.rockpool.internal.access.structure.TakenElement
import io.rockpool.queue.Delivery
import io.rockpool.queue.PersistentQueue
import io.rockpool.structure.DequeEnd
import io.rockpool.structure.PersistentDeque
import java.time.Duration
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.asExecutor
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.future.await
import kotlinx.coroutines.future.future
import kotlinx.coroutines.withContext

private val WAIT = Duration.ofHours(1)
private const val BATCH = 100

/**
 * The value of a key; if there is none, [loader] loads it, once for all callers at a time, and it
 * is stored. A null is not stored. No thread waits for the loader. If this coroutine is cancelled,
 * the load continues for its other callers, in this coroutine's context but not as its child.
 */
public suspend fun <K : Any, V : Any, R : V?> PersistentCache<K, V>.getOrLoad(
  key: K,
  loader: suspend (K) -> R,
): R {
  val loading = CoroutineScope(currentCoroutineContext().minusKey(Job))
  val found =
    withContext(Dispatchers.IO) {
      getAsync(key, { missing -> loading.future { loader(missing) } }, Dispatchers.IO.asExecutor())
    }
  @Suppress("UNCHECKED_CAST") // a value that is there, or what the loader has returned
  return found.await() as R
}

/**
 * Removes the first element, and waits until there is one. If the coroutine is cancelled, no
 * element is lost: one that was taken at that moment is the first again, with the expiry that it
 * had, and even if the deque is full by then.
 */
public suspend fun <E : Any> PersistentDeque<E>.awaitFirst(): E = awaitAt(DequeEnd.FIRST)

/** Like [awaitFirst], of the last element. */
public suspend fun <E : Any> PersistentDeque<E>.awaitLast(): E = awaitAt(DequeEnd.LAST)

private suspend fun <E : Any> PersistentDeque<E>.awaitAt(end: DequeEnd): E =
  waiting<TakenElement<E>>({ it.putBack() }) { TakenElement.take(this, end) }.element()

/**
 * Receives a message, and waits until there is one. If the coroutine is cancelled, a message that
 * came at that moment is released, and does not count as delivered.
 */
public suspend fun <T : Any> PersistentQueue<T>.awaitMessage(): Delivery<T> {
  while (true) {
    val received: List<Delivery<T>> =
      waiting({ all -> all.forEach { it.releaseUncounted() } }) { receive(1, WAIT) }
    if (received.isNotEmpty()) {
      return received.single()
    }
  }
}

/**
 * The messages of a queue, without an end. The collector acknowledges, retries or rejects each. A
 * message whose collector fails or is cancelled is delivered again after its visibility timeout.
 */
public fun <T : Any> PersistentQueue<T>.messages(): Flow<Delivery<T>> = flow {
  while (true) {
    emit(awaitMessage())
  }
}

/**
 * The changes from a position on, without an end. Fails with a
 * [io.rockpool.error.ChangesLostException] if some of them were removed.
 */
public fun <K : Any, V : Any> ChangeFeed<K, V>.changesFrom(position: Long): Flow<ChangeEvent<K, V>> = flow {
  var next = position
  while (true) {
    val batch: List<ChangeEvent<K, V>> = waiting({}) { poll(next, BATCH, WAIT) }
    for (change in batch) {
      emit(change)
      next = change.position() + 1
    }
  }
}
