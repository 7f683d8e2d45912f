/** Stories of settings. */
@org.jspecify.annotations.NullMarked
package io.fengyu.agent.setting;
