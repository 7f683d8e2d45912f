/** Tests of JSON helpers. */
@org.jspecify.annotations.NullMarked
package io.fengyu.contract.json;
