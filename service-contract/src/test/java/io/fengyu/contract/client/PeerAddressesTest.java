package io.fengyu.contract.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PeerAddressesTest {

  private static final URI FIRST = URI.create("http://10.0.0.1:8082");
  private static final URI SECOND = URI.create("http://10.0.0.2:8082");
  private static final URI THIRD = URI.create("http://[fd00::3]:8082");

  private final AtomicLong now = new AtomicLong();
  private final List<String> ips = new ArrayList<>(List.of("10.0.0.1", "10.0.0.2", "[fd00::3]"));

  private PeerAddresses peers(String... configured) {
    var addresses = List.of(configured).stream().map(URI::create).toList();
    return new PeerAddresses(addresses, host -> List.copyOf(ips), now::get);
  }

  @Test
  void everyAddressOfANameTakesItsTurn() {
    var peers = peers("http://agent-runtime:8082");
    assertThat(peers.known()).isFalse();
    assertThat(peers.due()).isTrue();
    peers.lookUp();

    var first = new HashSet<URI>();
    for (var i = 0; i < 3; i++) {
      var order = peers.inTurn();
      assertThat(order).containsExactlyInAnyOrder(FIRST, SECOND, THIRD);
      first.add(order.getFirst());
    }

    assertThat(first).containsExactlyInAnyOrder(FIRST, SECOND, THIRD);
  }

  @Test
  void whoCouldNotBeReachedIsTriedLastForAWhile() {
    var peers = peers("http://agent-runtime:8082");
    peers.lookUp();
    peers.refused(SECOND);

    for (var i = 0; i < 3; i++) {
      assertThat(peers.inTurn().getLast()).isEqualTo(SECOND);
    }

    now.addAndGet(PeerAddresses.DISTRUST.toNanos());
    assertThat(List.of(peers.inTurn(), peers.inTurn(), peers.inTurn()))
        .extracting(List::getFirst)
        .contains(SECOND);
  }

  @Test
  void oneCallerEveryFewSecondsLooksAgainAndFindsWhatWasAdded() {
    var peers = peers("http://agent-runtime:8082");
    assertThat(peers.due()).isTrue();
    peers.lookUp();
    assertThat(peers.due()).isFalse();

    ips.add("10.0.0.4");
    now.addAndGet(PeerAddresses.LOOK_UP_AGAIN.toNanos());
    assertThat(peers.due()).isTrue();
    assertThat(peers.due()).isFalse();
    peers.lookUp();

    assertThat(peers.inTurn()).hasSize(4);
  }

  @Test
  void addressesAndNamesOfCertificatesStayAsTheyAre() {
    var peers =
        peers("http://127.0.0.1:1", "http://[::1]:2", "http://localhost:3", "https://agent:4");

    assertThat(peers.known()).isTrue();
    assertThat(peers.due()).isFalse();
    assertThat(peers.inTurn()).hasSize(4);
  }

  @Test
  void aNameThatNobodyKnowsIsTriedAsItIs() {
    ips.clear();
    var peers = peers("http://agent-runtime:8082");
    peers.lookUp();

    assertThat(peers.inTurn()).containsExactly(URI.create("http://agent-runtime:8082"));
  }
}
