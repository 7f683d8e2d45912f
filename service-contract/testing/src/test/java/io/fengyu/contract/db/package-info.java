/** Stories of the shared database code against a real Postgres. */
@org.jspecify.annotations.NullMarked
package io.fengyu.contract.db;
