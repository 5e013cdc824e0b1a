import { Option } from "commander"
import { collect, type Declare, examples } from "../shell/Commands.ts"
import type { ListenOptions } from "./Listen.ts"

/** The environment's events at a local server. */
export const listenCommands: Declare = (parent, shellOf) => {
  const listen = parent
    .command("listen")
    .description("forward events to a local server, signed as a webhook is")
    .option("--forward-to <url>", "where each event is posted; without it events are only shown")
    .option("--events <types>", "types to forward, separated by commas; every type when left out", collect)
    .option("--backfill <span>", "begin that long ago: 90s, 30m, 2h, up to 7d")
    .option("--from-now", "forget the saved place and begin with what happens from now on")
    .option("--skip-verify", "accept any certificate of an https target")
    .addOption(new Option("--print <format>", "print whole events").choices(["json"]))
    .addHelpText(
      "after",
      `
A sandbox saves its place after each answer of 2xx: what happened while nothing listened arrives at the next start,
for seven days, and at most the event that was on its way comes twice, under its id. An event that is answered
otherwise is posted again until it is taken, or skipped by a key. Production shows what happens while this runs.

Keys: r posts the last event again, o opens it in the console, s skips the event that waits, Ctrl+C ends.`
    )
    .action(async (options: ListenOptions, command) => (await import("./Listen.ts")).listen(shellOf(command), options))
  examples(
    listen,
    "listen --forward-to http://localhost:3000/hook",
    "listen --forward-to https://localhost:3443/hook --skip-verify --events message.received,message.failed",
    "listen --backfill 2h --print json"
  )
}
