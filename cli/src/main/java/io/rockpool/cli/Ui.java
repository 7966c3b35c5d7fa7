package io.rockpool.cli;

import java.io.IOException;
import java.net.BindException;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code ui}: the store in a browser. */
@Command(
    name = "ui",
    description = {
      "Shows a store in a browser: names, their sizes, queues, elements.",
      "Prints an address on 127.0.0.1 with a token, without which nothing is shown. Pages show a"
          + " copy of the store; a button makes a new one. Nothing can be changed.",
      "Ends when it is interrupted, or is not used for a while."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class Ui extends StoreVerb {
  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "The port; by default any that is free.")
  int port;

  @Option(
      names = "--idle",
      paramLabel = "PERIOD",
      converter = Periods.class,
      defaultValue = "1h",
      description = "End when no page was asked for so long; 1h by default.")
  Duration idle;

  @Override
  public Integer call() throws Exception {
    if (port < 0 || port > 65_535) {
      throw new ParameterException(
          spec.commandLine(), port + " is no port; give one from 1 to 65535.");
    }
    if (System.getProperty("sun.net.httpserver.maxReqTime") == null) {
      System.setProperty(
          "sun.net.httpserver.maxReqTime", "30"); // seconds; slow clients hold threads
    }
    try (UiStore store = new UiStore(this::read);
        UiServer server = serve(store)) {
      Thread ending = new Thread(() -> end(server, store), "rockpool-ui-end");
      Runtime.getRuntime().addShutdownHook(ending); // deletes the copy after Ctrl-C
      try {
        output().print(Output.row("address", server.address()));
        server.awaitIdle(idle);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // ends, too
      } finally {
        Runtime.getRuntime().removeShutdownHook(ending);
      }
    }
    return RockpoolCommand.DONE;
  }

  private UiServer serve(UiStore store) throws IOException {
    UiPages pages = new UiPages(isOnServer() ? null : directory().toString(), classes());
    try {
      return new UiServer(store, pages, port);
    } catch (BindException e) {
      throw new IOException("The port " + port + " cannot be used: " + e.getMessage() + ".", e);
    }
  }

  private static void end(UiServer server, UiStore store) {
    server.close();
    store.close();
  }
}
