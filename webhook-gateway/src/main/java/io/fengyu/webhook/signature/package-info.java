/** Signatures by which well-known senders prove that a delivery is theirs. */
@NullMarked
package io.fengyu.webhook.signature;

import org.jspecify.annotations.NullMarked;
