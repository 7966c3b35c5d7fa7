package io.rockpool.sample.atlas;

import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import picocli.CommandLine.Help.Ansi;

/** A progress bar that moves on a terminal, and a line now and then where there is none. */
final class Progress {
  private static final int LINE_INTERVAL_MILLIS = 1_000;
  private static final int LINE_WIDTH = 80;

  private Progress() {}

  static ProgressBar over(int classes) {
    ProgressBarBuilder builder =
        ProgressBar.builder()
            .setTaskName("Classes")
            .setInitialMax(classes)
            .setStyle(ProgressBarStyle.ASCII);
    if (!Ansi.AUTO.enabled()) {
      builder
          .setUpdateIntervalMillis(LINE_INTERVAL_MILLIS)
          .setConsumer(new DelegatingProgressBarConsumer(System.out::println, LINE_WIDTH));
    }
    return builder.build();
  }
}
