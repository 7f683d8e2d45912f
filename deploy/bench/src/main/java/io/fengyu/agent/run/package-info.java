/** Measures the executor from inside, without a database and without HTTP. */
@NullMarked
package io.fengyu.agent.run;

import org.jspecify.annotations.NullMarked;
