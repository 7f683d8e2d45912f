package io.fengyu.agent.journal;

/** What this process knows of its siblings. */
interface Replicas {

  /** True when another process may watch or execute runs of this one. */
  boolean others();

  /** Where this process listens: nobody else alive has the same. */
  String address();
}
