/** Tests of what services share around the database. */
@org.jspecify.annotations.NullMarked
package io.fengyu.contract.db;
