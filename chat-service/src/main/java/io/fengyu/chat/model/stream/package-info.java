/** Lends the model to other services, as a stream of events. */
@NullMarked
package io.fengyu.chat.model.stream;

import org.jspecify.annotations.NullMarked;
