package io.fengyu.workflow.story;

/** Bodies of saves, as a client would write them. */
final class Drafts {

  private Drafts() {}

  /** A workflow of one step with a goal of its own. */
  static String named(String name, String goal) {
    return """
        {"name":"%s","plan":{"goal":"%s","steps":[
          {"index":0,"toolName":"json_format","args":{"json":"{}"},"dependsOn":[]}]}}"""
        .formatted(name, goal);
  }

  static String named(String name) {
    return named(name, "Tidy");
  }

  /** The same with another member in front. */
  static String with(String member, String draft) {
    return "{" + member + "," + draft.strip().substring(1);
  }

  /** A draft with the given steps and inputs. */
  static String of(String steps, String inputSchema) {
    return """
        {"name":"Flow","inputSchema":%s,"plan":{"goal":"Go","steps":%s}}"""
        .formatted(inputSchema, steps);
  }
}
