package io.fengyu.chat;

import io.fengyu.contract.testing.ArchitectureRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

  @Test
  void theServiceKeepsItsShape() {
    ArchitectureRules.check("io.fengyu.chat");
  }
}
