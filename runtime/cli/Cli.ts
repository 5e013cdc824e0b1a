import { Effect, Layer } from "effect"
import { CliConfig, CliOutput, Command, GlobalFlag } from "effect/cli"
import { batches } from "./commands/BatchCommands.ts"
import { bootstrap } from "./commands/BootstrapCommand.ts"
import { billing } from "./commands/billing/BillingCommands.ts"
import { ledger } from "./commands/billing/LedgerCommands.ts"
import { payments } from "./commands/billing/PaymentCommands.ts"
import { contacts } from "./commands/ContactCommands.ts"
import { feedback } from "./commands/FeedbackCommands.ts"
import { keys } from "./commands/KeyCommands.ts"
import { members } from "./commands/MemberCommands.ts"
import { messages } from "./commands/MessageCommands.ts"
import { organizations } from "./commands/OrganizationCommands.ts"
import { projects } from "./commands/ProjectCommands.ts"
import { signIn } from "./commands/SignInCommand.ts"
import { templates } from "./commands/TemplateCommands.ts"
import { connections } from "./connections/ConnectionCommands.ts"
import { groups } from "./groups/GroupCommands.ts"
import { Json } from "./kit/Output.ts"
import { numbers } from "./numbers/NumberCommands.ts"
import { orders } from "./numbers/OrderCommands.ts"

/** The operator's commands, through the same doors as the API and the dashboard; what they need is given by `Ground`. */
export const carteiro = Command.make("carteiro").pipe(
  Command.withDescription("Operator's commands. A running node honors what they write on the next request."),
  Command.withSubcommands([
    bootstrap,
    signIn,
    organizations,
    members,
    projects,
    keys,
    billing,
    ledger,
    payments,
    messages,
    templates,
    numbers,
    orders,
    connections,
    batches,
    groups,
    contacts,
    feedback
  ]),
  Command.withGlobalFlags([Json])
)

/** How it speaks: one that is written wrongly prints no help, since its process ends with a line that points there. */
export const terminal = Layer.merge(
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] }),
  CliOutput.layerPresenter({
    present: (event) => (event._tag === "InvalidInvocation" ? Effect.void : CliOutput.defaultPresenter.present(event))
  })
)
