/** The plan of a run, and the references its arguments may hold. */
@NullMarked
package io.fengyu.contract.plan;

import org.jspecify.annotations.NullMarked;
