import { type Declare, examples } from "../shell/Commands.ts"

/** Pages of the console. */
export const consoleCommands: Declare = (parent, shellOf) => {
  const open = parent
    .command("open")
    .argument("[page]", "a section such as messages or webhooks, or an id such as msg_…", "overview")
    .description("open a page of the console")
    .action(async (page: string, _: object, command) => (await import("./Open.ts")).open(shellOf(command), page))
  examples(open, "open", "open webhooks", "open msg_…")
}
