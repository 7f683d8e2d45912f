/**
 * What a model gets to read of a conversation: as much as fits, and nothing without its beginning.
 */
@NullMarked
package io.fengyu.chat.context;

import org.jspecify.annotations.NullMarked;
