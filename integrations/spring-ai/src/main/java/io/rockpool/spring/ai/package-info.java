/**
 * Spring AI's chat memory on Rockpool: begin at {@link
 * io.rockpool.spring.ai.RockpoolChatMemoryRepository}.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.spring.ai;

import org.jspecify.annotations.NullMarked;
