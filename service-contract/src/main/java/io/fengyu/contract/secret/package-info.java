/** Secrets that must be readable again, encrypted before they reach the database. */
@NullMarked
package io.fengyu.contract.secret;

import org.jspecify.annotations.NullMarked;
