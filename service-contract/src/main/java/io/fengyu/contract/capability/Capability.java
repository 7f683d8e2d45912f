package io.fengyu.contract.capability;

/** One thing that clients ask for before they offer it; a bean for each that a service has. */
public interface Capability {

  /** Name on the wire, such as {@code run_cancel_v1}. */
  String name();

  /** True when it is configured and works here. */
  boolean available();

  /** A capability whose answer never changes while the process runs. */
  static Capability of(String name, boolean available) {
    return new Capability() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public boolean available() {
        return available;
      }
    };
  }
}
