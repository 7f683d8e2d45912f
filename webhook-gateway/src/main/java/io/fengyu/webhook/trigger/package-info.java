/** Triggers: which workflow an address starts, and who may. */
@NullMarked
package io.fengyu.webhook.trigger;

import org.jspecify.annotations.NullMarked;
