/** Which model answers an owner, where it is, and with which key. */
@NullMarked
package io.fengyu.chat.model.config;

import org.jspecify.annotations.NullMarked;
