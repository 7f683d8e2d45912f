package io.fengyu.agent.process;

import java.util.UUID;

/**
 * A variable in the environment of a child, which all of its descendants inherit: they are found by
 * it even after they have left the tree and the session of the child.
 *
 * @param work what the child was started for; survives the process that started it
 */
record Mark(String work, String child) {

  static final String NAME = "FENGYU_CHILD";

  /** This process, told from any other and from later ones. */
  static final String HERE = UUID.randomUUID().toString();

  static Mark of(String work) {
    return new Mark(work, UUID.randomUUID().toString());
  }

  String value() {
    return HERE + '/' + work + '/' + child;
  }

  /** As it stands in an environment. */
  String entry() {
    return NAME + '=' + value() + '\0';
  }
}
