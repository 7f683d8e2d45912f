/** The door for deliveries: who may knock at all. */
@NullMarked
package io.fengyu.webhook.delivery;

import org.jspecify.annotations.NullMarked;
