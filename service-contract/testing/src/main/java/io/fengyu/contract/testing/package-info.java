/** Test support: a real Postgres with the roles of production, and rules for the architecture. */
@NullMarked
package io.fengyu.contract.testing;

import org.jspecify.annotations.NullMarked;
