/** What a package may hold. */
package io.fengyu.agent.plugin.archive;
