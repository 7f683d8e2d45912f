/** What a model gets to read. */
@NullMarked
package io.fengyu.chat.context;

import org.jspecify.annotations.NullMarked;
