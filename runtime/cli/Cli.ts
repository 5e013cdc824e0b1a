import { Effect, Layer } from "effect"
import { CliConfig, CliOutput, Command, GlobalFlag } from "effect/cli"
import { bootstrap } from "./BootstrapCommand.ts"
import { feedback } from "./FeedbackCommands.ts"
import { keys } from "./KeyCommands.ts"
import { members } from "./MemberCommands.ts"
import { organizations } from "./OrganizationCommands.ts"
import { Json } from "./Output.ts"
import { projects } from "./ProjectCommands.ts"
import { signIn } from "./SignInCommand.ts"

/** The operator's commands, through the same doors as the API and the dashboard; what they need is given by `Ground`. */
export const carteiro = Command.make("carteiro").pipe(
  Command.withDescription("Operator's commands. A running node honors what they write on the next request."),
  Command.withSubcommands([bootstrap, signIn, organizations, members, projects, keys, feedback]),
  Command.withGlobalFlags([Json])
)

/** How it speaks: one that is written wrongly prints no help, since its process ends with a line that points there. */
export const terminal = Layer.merge(
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] }),
  CliOutput.layerPresenter({
    present: (event) => (event._tag === "InvalidInvocation" ? Effect.void : CliOutput.defaultPresenter.present(event))
  })
)
