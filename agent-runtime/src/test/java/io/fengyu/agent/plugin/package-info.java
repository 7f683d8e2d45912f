/** Stories about packages, their processes and hooks; good ones and others. */
package io.fengyu.agent.plugin;
