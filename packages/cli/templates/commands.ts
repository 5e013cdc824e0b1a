import { type Declare, examples } from "../shell/Commands.ts"
import type { PushOptions } from "./Sync.ts"

/** Templates as files. */
export const templateCommands: Declare = (parent, shellOf) => {
  const templates = parent.command("templates").description("keep templates in a folder of JSON files")
  const pull = templates
    .command("pull")
    .argument("<folder>", "gets a file name.language.json for each template")
    .description("write the environment's templates into a folder")
    .action(async (folder: string, _: object, command) => (await import("./Sync.ts")).pull(shellOf(command), folder))
  examples(pull, "templates pull templates", "templates pull templates --profile loja-production")
  const take = templates
    .command("import")
    .description("take over the approved templates that the connected account already has")
    .action(async (_: object, command) => (await import("./Import.ts")).importTemplates(shellOf(command)))
  examples(take, "templates import --profile loja-production")
  const push = templates
    .command("push")
    .argument("<folder>", "the files of a pull")
    .description("show what differs from the environment, and write it there once agreed")
    .option("--yes", "write without asking")
    .option("--submit", "submit what was written for review")
    .action(async (folder: string, options: PushOptions, command) =>
      (await import("./Sync.ts")).push(shellOf(command), folder, options)
    )
  examples(push, "templates push templates", "templates push templates --yes --submit")
}
