import { Command } from "commander"
import { apiCommands } from "./api/commands.ts"
import { batchCommands } from "./batches/commands.ts"
import { clockCommands } from "./clock/commands.ts"
import { completionCommands } from "./completion/commands.ts"
import { consoleCommands } from "./console/commands.ts"
import { contactCommands } from "./contacts/commands.ts"
import { docsCommands } from "./docs/commands.ts"
import { listenCommands } from "./listen/commands.ts"
import { logCommands } from "./logs/commands.ts"
import { mediaCommands } from "./media/commands.ts"
import { messageCommands } from "./messages/commands.ts"
import packageJson from "./package.json" with { type: "json" }
import { profileCommands } from "./profiles/commands.ts"
import { type Declare, examples } from "./shell/Commands.ts"
import { type GlobalOptions, Shell } from "./shell/Shell.ts"
import type { Surroundings } from "./shell/Surroundings.ts"
import { templateCommands } from "./templates/commands.ts"
import { triggerCommands } from "./trigger/commands.ts"
import { webhookCommands } from "./webhooks/commands.ts"

/** Commands by subject, in the order of the help. Each loads its own program when it runs. */
const subjects: ReadonlyArray<Declare> = [
  profileCommands,
  listenCommands,
  triggerCommands,
  clockCommands,
  messageCommands,
  templateCommands,
  contactCommands,
  batchCommands,
  mediaCommands,
  webhookCommands,
  logCommands,
  apiCommands,
  consoleCommands,
  docsCommands,
  completionCommands
]

/** Returns the tree of commands. */
export const commandLine = (io: Surroundings): Command => {
  const root = new Command("carteiro")
    .description("The command line of the Carteiro API.")
    .version(packageJson.version, "--version", "print the version")
    .option("--json", "print JSON for programs, failures included")
    .option("--profile <name>", "use this profile instead of the one in use")
    .option("--api-base <url>", "call this API instead of the profile's (CARTEIRO_API_BASE)")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      outputError: () => {}
    })
    .showSuggestionAfterError()
  examples(root, "login", "listen --forward-to http://localhost:3000/hook", "trigger message.received")
  root.addHelpText(
    "after",
    "\nExit codes: 0 done, 1 refused or failed, 2 written wrongly, 3 not logged in, 4 no answer, 5 some items failed, 130 interrupted."
  )
  const shellOf = (command: Command) => new Shell(io, command.optsWithGlobals<GlobalOptions>())
  for (const declare of subjects) declare(root, shellOf)
  return root
}
