package io.fengyu.bench;

/** One question about speed, answered with figures and a baseline from the same run. */
interface Bench {

  /** What it measures, in one line for the list of benchmarks. */
  String about();

  /** Longest time it may take, in seconds; the program gives up with an error after that. */
  default int limitSeconds() {
    return 300;
  }

  /** Measures, and reports through {@link Lab#table}. */
  void run(Lab lab) throws Exception;
}
