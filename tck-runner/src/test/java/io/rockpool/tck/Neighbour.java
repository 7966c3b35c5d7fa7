package io.rockpool.tck;

import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/**
 * A thread that burns a processor for as long as tests run, where {@link #PROPERTY} asks for it.
 */
public final class Neighbour implements TestExecutionListener {
  static final String PROPERTY = "kit.neighbour";
  static final String NAME = "kit-neighbour";

  private volatile boolean burning;

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    burning = Boolean.getBoolean(PROPERTY);
    if (burning) {
      Thread thread = new Thread(this::burn, NAME);
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void burn() {
    long turns = 0;
    while (burning) {
      turns++;
    }
    System.out.println("The neighbour turned " + turns + " times.");
  }

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    burning = false;
  }
}
