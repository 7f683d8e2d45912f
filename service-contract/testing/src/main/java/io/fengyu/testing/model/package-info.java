/** A model provider that says what a script tells it to, byte for byte, in four protocols. */
@NullMarked
package io.fengyu.testing.model;

import org.jspecify.annotations.NullMarked;
