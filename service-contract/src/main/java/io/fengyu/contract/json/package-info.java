/** JSON in canonical form, for digests and comparisons. */
@NullMarked
package io.fengyu.contract.json;

import org.jspecify.annotations.NullMarked;
