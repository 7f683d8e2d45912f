/** The world around the gateway, as tests need it. */
@org.jspecify.annotations.NullMarked
package io.fengyu.webhook.testing;
