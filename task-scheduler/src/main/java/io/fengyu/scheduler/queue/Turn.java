package io.fengyu.scheduler.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What is decided in one transaction, with whoever waits for it. */
final class Turn {

  /** One thing to decide. */
  sealed interface Item {

    /** It did not come to a decision. */
    void failed(Throwable failure);
  }

  /** Somebody asks to come in. */
  record Admit(NewTask task, Consumer<Decision> decided, Consumer<Throwable> fault)
      implements Item {
    @Override
    public void failed(Throwable failure) {
      fault.accept(failure);
    }
  }

  /** Came in, was there already, or is refused. */
  sealed interface Decision {
    record In(Admitted task) implements Decision {}

    record Out(Refusal refusal) implements Decision {}
  }

  /** A body has ended. */
  record Ended(TaskEnd end, Consumer<Boolean> stored, Consumer<Throwable> fault) implements Item {
    @Override
    public void failed(Throwable failure) {
      fault.accept(failure);
    }
  }

  /** Its owner wants it to end. */
  record Kill(java.util.UUID id, String owner, Consumer<Boolean> done, Consumer<Throwable> fault)
      implements Item {
    @Override
    public void failed(Throwable failure) {
      fault.accept(failure);
    }
  }

  /** Something may have changed: free slots, or what a dead process left in the ring. */
  record Look(Consumer<Throwable> fault) implements Item {
    @Override
    public void failed(Throwable failure) {
      fault.accept(failure);
    }
  }

  final List<Admit> admissions = new ArrayList<>();
  final List<Ended> ends = new ArrayList<>();
  final List<Kill> kills = new ArrayList<>();
  final List<Look> looks = new ArrayList<>();

  void add(Item item) {
    switch (item) {
      case Admit admit -> admissions.add(admit);
      case Ended ended -> ends.add(ended);
      case Kill kill -> kills.add(kill);
      case Look look -> looks.add(look);
    }
  }

  int size() {
    return admissions.size() + ends.size() + kills.size() + looks.size();
  }

  List<Item> items() {
    var all = new ArrayList<Item>(size());
    all.addAll(ends);
    all.addAll(kills);
    all.addAll(admissions);
    all.addAll(looks);
    return all;
  }
}
