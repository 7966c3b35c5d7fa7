package io.rockpool.kotlin

import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.Runnable
import kotlinx.coroutines.suspendCancellableCoroutine

/** Threads of their own: waits do not keep other work for IO from its threads. */
@OptIn(ExperimentalCoroutinesApi::class)
private val waits = Dispatchers.IO.limitedParallelism(Int.MAX_VALUE)

/**
 * Runs a call that waits, on a thread for IO. When the coroutine is cancelled the thread is
 * interrupted; if the call has a result by then, [undo] gets it.
 */
internal suspend fun <T> waiting(undo: (T) -> Unit, call: () -> T): T =
  suspendCancellableCoroutine { continuation ->
    val waiting = Waiting(continuation, undo, call)
    continuation.invokeOnCancellation { waiting.interrupt() }
    waits.dispatch(continuation.context, waiting)
  }

private class Waiting<T>(
  private val continuation: CancellableContinuation<T>,
  private val undo: (T) -> Unit,
  private val call: () -> T,
) : Runnable {
  private var thread: Thread? = null
  private var isCancelled = false

  @Synchronized
  fun interrupt() {
    isCancelled = true
    thread?.interrupt()
  }

  @Synchronized
  private fun begin(): Boolean {
    if (!isCancelled) {
      thread = Thread.currentThread()
    }
    return !isCancelled
  }

  /** No interrupt comes later, and the thread is used again without one. */
  @Synchronized
  private fun end() {
    thread = null
    if (isCancelled) {
      Thread.interrupted()
    }
  }

  @OptIn(ExperimentalCoroutinesApi::class)
  override fun run() {
    if (!begin()) {
      return
    }
    val result =
      try {
        call()
      } catch (e: Throwable) {
        end()
        continuation.resumeWithException(e) // does nothing if it is cancelled
        return
      }
    end()
    continuation.resume(result) { undo(result) }
  }
}
