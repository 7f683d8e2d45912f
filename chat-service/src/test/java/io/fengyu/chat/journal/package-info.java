/** What is written down of turns. */
@NullMarked
package io.fengyu.chat.journal;

import org.jspecify.annotations.NullMarked;
