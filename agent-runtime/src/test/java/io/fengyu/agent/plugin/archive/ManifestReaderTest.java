package io.fengyu.agent.plugin.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fengyu.agent.tool.Effect;
import io.fengyu.contract.problem.ProblemException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManifestReaderTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static Manifest read(String more) throws Exception {
    return ManifestReader.read(
        JSON.readTree(
            ("{'id':'a.b','name':'A','version':'1.0','rpc':{'methods':{'m':{}}}" + more + "}")
                .replace('\'', '"')));
  }

  private static String tool(String more) {
    return ",'aiTools':[{'name':'t','method':'m','description':'d'" + more + "}]";
  }

  @Test
  void whatIsNotDeclaredIsTheWorst() throws Exception {
    var tool = read(tool("")).tools().getFirst();

    assertThat(tool.effect()).isEqualTo(Effect.EXTERNAL);
    assertThat(tool.idempotent()).isFalse();
    assertThat(tool.resources()).isNull();
  }

  @ParameterizedTest
  @CsvSource({"read,READ", "write,WRITE", "command,COMMAND", "external,EXTERNAL"})
  void effectsAreTheWordsOfTheCatalog(String word, Effect effect) throws Exception {
    assertThat(read(tool(",'effect':'" + word + "'")).tools().getFirst().effect())
        .isEqualTo(effect);
  }

  @Test
  void timeoutsAreTheToolsThenTheProcessesThenAMinuteAndHaveBounds() throws Exception {
    assertThat(read("").timeoutSeconds(0)).isEqualTo(60);
    var own = read(",'backend':{'callTimeoutSeconds':7}" + tool(",'timeoutSeconds':9000"));
    assertThat(own.timeoutSeconds(0)).isEqualTo(7);
    assertThat(own.timeoutSeconds(own.tools().getFirst().timeoutSeconds())).isEqualTo(600);
    assertThat(read(",'backend':{'callTimeoutSeconds':0}").timeoutSeconds(0)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "id | ,'id':'../x'",
        "id | ,'id':7",
        "name | ,'name':' '",
        "version | ,'version':'1 0'",
        "permissions[0] | ,'permissions':['Files Read']",
        "permissions | ,'permissions':'files.read'",
        "backend | ,'backend':'x'",
        "backend.command | ,'backend':{'command':[]}",
        "backend.callTimeoutSeconds | ,'backend':{'callTimeoutSeconds':'60'}",
        "rpc.methods | ,'rpc':{'methods':[]}",
        "rpc.methods.m.inputSchema.type | ,'rpc':{'methods':{'m':{'inputSchema':{'type':'array'}}}}",
        "rpc.methods.m.inputSchema"
            + " | ,'rpc':{'methods':{'m':{'inputSchema':{'type':'object','required':'x'}}}}",
        "rpc.methods.m.outputSchema"
            + " | ,'rpc':{'methods':{'m':{'outputSchema':{'$ref':'http://evil.example/s'}}}}",
        "aiTools | ,'aiTools':{}",
        "aiTools[0].name | ,'aiTools':[{'name':'a b','method':'m','description':'d'}]",
        "aiTools[0].method | ,'aiTools':[{'name':'t','method':'other','description':'d'}]",
        "aiTools[0].description | ,'aiTools':[{'name':'t','method':'m'}]",
        "aiTools[0].effect"
            + " | ,'aiTools':[{'name':'t','method':'m','description':'d','effect':'harmless'}]",
        "aiTools[0].idempotent"
            + " | ,'aiTools':[{'name':'t','method':'m','description':'d','idempotent':'yes'}]",
        "aiTools[0].resources.reads"
            + " | ,'aiTools':[{'name':'t','method':'m','description':'d','resources':{'reads':'x'}}]",
        "aiTools[1].name"
            + " | ,'aiTools':[{'name':'t','method':'m','description':'d'},"
            + "{'name':'t','method':'m','description':'d'}]",
        "flowNodes[0].tool | ,'flowNodes':[{'tool':'other'}]",
        "flowNodes[0].inputs | ,'flowNodes':[{'tool':'t','inputs':['x']}]",
      })
  void whatIsWrongIsNamed(String field, String more) {
    assertThatThrownBy(() -> read(more))
        .isInstanceOfSatisfying(
            ProblemException.class,
            refused -> {
              assertThat(refused.problem().code()).isEqualTo("PLUGIN_MANIFEST_INVALID");
              assertThat(refused.problem().params()).containsEntry("field", field);
            });
  }
}
