import { type Declare, examples } from "../shell/Commands.ts"

/** The clock of a sandbox. */
export const clockCommands: Declare = (parent, shellOf) => {
  const clock = parent.command("clock").description("the time of a sandbox")
  const advance = clock
    .command("advance")
    .argument("<how far>", "such as 90s, 28h or 40d, or an instant such as 2026-12-24T18:00:00Z")
    .description("turn the clock ahead and wait until everything due on the way has run")
    .action(async (howFar: string, _options, command) =>
      (await import("./Turn.ts")).advanceClock(shellOf(command), howFar)
    )
  examples(advance, "clock advance 28h", "clock advance 2026-12-24T18:00:00Z --json")
  const freeze = clock
    .command("freeze")
    .description("stop the clock")
    .action(async (_options, command) => (await import("./Turn.ts")).moveClock(shellOf(command), "freeze"))
  examples(freeze, "clock freeze")
  const resume = clock
    .command("resume")
    .description("let the clock go on from where it stands")
    .action(async (_options, command) => (await import("./Turn.ts")).moveClock(shellOf(command), "resume"))
  examples(resume, "clock resume")
  const reset = clock
    .command("reset")
    .argument("[slug]", "the slug of the sandbox's project, which agrees to the loss; a terminal asks for it")
    .description("empty the sandbox and take its clock back to real time")
    .action(async (slug: string | undefined, _options, command) =>
      (await import("./Turn.ts")).resetClock(shellOf(command), slug)
    )
  examples(reset, "clock reset loja-aurora")
  const show = clock
    .command("show")
    .description("print the sandbox's time")
    .action(async (_options, command) => (await import("./Turn.ts")).moveClock(shellOf(command), "get"))
  examples(show, "clock show")
}
