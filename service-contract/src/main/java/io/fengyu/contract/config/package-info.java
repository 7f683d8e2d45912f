/** Where settings come from, beside the environment itself. */
@NullMarked
package io.fengyu.contract.config;

import org.jspecify.annotations.NullMarked;
