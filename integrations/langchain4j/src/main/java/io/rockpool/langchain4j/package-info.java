/**
 * LangChain4j's chat memories on Rockpool: begin at {@link
 * io.rockpool.langchain4j.RockpoolChatMemoryStore}.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.langchain4j;

import org.jspecify.annotations.NullMarked;
