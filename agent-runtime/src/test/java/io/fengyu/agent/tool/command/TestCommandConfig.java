package io.fengyu.agent.tool.command;

/** As configured without a word, but for the sandbox. */
record TestCommandConfig(Wanted sandbox, boolean sandboxRequired) implements CommandConfig {

  @Override
  public int memoryMib() {
    return 1024;
  }

  @Override
  public int cpuSeconds() {
    return 600;
  }

  @Override
  public int processes() {
    return 4096;
  }

  @Override
  public int fileMib() {
    return 64;
  }
}
