package io.fengyu.agent.guard;

/** Whether commands are kept inside their workspace outside of full access. */
public interface Confinement {

  /** True when a sandbox is at work. */
  boolean confines();
}
