/** Tests of runs: the executor against a log in memory, and stories over HTTP. */
@org.jspecify.annotations.NullMarked
package io.fengyu.agent.run;
