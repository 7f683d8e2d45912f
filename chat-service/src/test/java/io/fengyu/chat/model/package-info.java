/** Stories of models that answer, refuse, break and fall silent. */
@NullMarked
package io.fengyu.chat.model;

import org.jspecify.annotations.NullMarked;
