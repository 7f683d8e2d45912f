/** Signatures as their senders publish them. */
@org.jspecify.annotations.NullMarked
package io.fengyu.webhook.signature;
