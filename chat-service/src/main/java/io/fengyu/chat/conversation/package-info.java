/** Stored conversations: what was said, to read again. */
@NullMarked
package io.fengyu.chat.conversation;

import org.jspecify.annotations.NullMarked;
