/** Tests of plans and references. */
@org.jspecify.annotations.NullMarked
package io.fengyu.contract.plan;
