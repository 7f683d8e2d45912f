package io.fengyu.agent.hook;

import java.util.List;

/** Where hooks come from; every bean of this type is asked, those of lower rank first. */
public interface HookSource {

  /** Place among the sources. */
  int rank();

  /**
   * The enabled hooks in force for an owner now, in the order they are run; the calling thread may
   * wait when they have to be read.
   */
  List<Hook> of(String owner);
}
