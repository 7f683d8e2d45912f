/** What tasks run: published workflows, as the services that own and execute them tell. */
@org.jspecify.annotations.NullMarked
package io.fengyu.scheduler.workflow;
