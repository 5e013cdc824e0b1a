import { Effect, Layer } from "effect"
import { CliConfig, CliOutput, Command, GlobalFlag } from "effect/cli"
import { Json } from "./kit/Output.ts"

/** A command, or a group of them, that is loaded when it is asked for: `named` is as much of it as the help tells. */
const entry = <Name extends string, Input, Shared, E, R>(
  name: Name,
  about: string,
  load: () => Promise<Command.Command<Name, Input, Shared, E, R>>
) => ({
  name,
  named: Effect.succeed(Command.make(name).pipe(Command.withDescription(about))),
  loaded: Effect.map(Effect.promise(load), Command.withDescription(about))
})

const doctor = entry("doctor", "Look at an installation, and tell what is wrong and what to do; writes nothing", () =>
  import("./doctor/DoctorCommand.ts").then(({ doctor }) => doctor)
)

const bridge = entry("bridge", "Check a bridge to a vendor of one's own against the protocol of its role", () =>
  import("./bridge/BridgeCommand.ts").then(({ bridge }) => bridge)
)

const entries = [
  doctor,
  bridge,
  entry("bootstrap", "Create an organization with its owner and first project, and print a one-time sign-in link", () =>
    import("./commands/BootstrapCommand.ts").then(({ bootstrap }) => bootstrap)
  ),
  entry("sign-in", "Print a one-time dashboard sign-in link of a member, valid for 15 minutes", () =>
    import("./commands/SignInCommand.ts").then(({ signIn }) => signIn)
  ),
  entry("organizations", "List, suspend, resume; block and unblock credit", () =>
    import("./commands/OrganizationCommands.ts").then(({ organizations }) => organizations)
  ),
  entry("members", "The people who may sign in to the dashboard", () =>
    import("./commands/MemberCommands.ts").then(({ members }) => members)
  ),
  entry("projects", "List, create, archive, restore and delete projects", () =>
    import("./commands/ProjectCommands.ts").then(({ projects }) => projects)
  ),
  entry("keys", "List, create and revoke API keys", () => import("./commands/KeyCommands.ts").then(({ keys }) => keys)),
  entry("billing", "Balance, top-ups, cards, plan and statements of an organization", () =>
    import("./commands/BillingCommands.ts").then(({ billing }) => billing)
  ),
  entry("ledger", "List entries, credit, debit, prove the invariants", () =>
    import("./commands/LedgerCommands.ts").then(({ ledger }) => ledger)
  ),
  entry("payments", "List and show payments; find fees that are held and unresolved", () =>
    import("./commands/PaymentCommands.ts").then(({ payments }) => payments)
  ),
  entry("messages", "List and show messages", () =>
    import("./commands/MessageCommands.ts").then(({ messages }) => messages)
  ),
  entry("templates", "List and show templates", () =>
    import("./commands/TemplateCommands.ts").then(({ templates }) => templates)
  ),
  entry("numbers", "List and show phone numbers, and what they cost each month", () =>
    import("./commands/NumberCommands.ts").then(({ numbers }) => numbers)
  ),
  entry("orders", "List and show orders of numbers; approve who a business is", () =>
    import("./commands/OrderCommands.ts").then(({ orders }) => orders)
  ),
  entry(
    "connections",
    "List, show, register, rotate and disconnect accounts at providers; ask people for credentials",
    () => import("./commands/ConnectionCommands.ts").then(({ connections }) => connections)
  ),
  entry("batches", "List and show batches, and whom they failed for", () =>
    import("./commands/BatchCommands.ts").then(({ batches }) => batches)
  ),
  entry("groups", "List and show groups", () => import("./commands/GroupCommands.ts").then(({ groups }) => groups)),
  entry("contacts", "List contacts and export one", () =>
    import("./commands/ContactCommands.ts").then(({ contacts }) => contacts)
  ),
  entry(
    "restore",
    "After the database was restored to an earlier point: hold what may have left since, list, release, fail",
    () => import("./commands/RestoreCommands.ts").then(({ restore }) => restore)
  ),
  entry("feedback", "Read feedback reports and answer them", () =>
    import("./commands/FeedbackCommands.ts").then(({ feedback }) => feedback)
  )
] as const

/**
 * The operator's commands, through the same doors as the API and the dashboard; what they need is given by `CommandServices`. Only
 * those are loaded that the command line names, since each brings its room: the others stand there for the help.
 */
export const commandsFor = Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
  const wanted = new Set(words)
  const commands = yield* Effect.all(
    entries.map(({ loaded, name, named }) => (wanted.has(name) || wanted.has(completions) ? loaded : named))
  )
  return Command.make("carteiro-operator").pipe(
    Command.withDescription("Operator's commands. A running node honors what they write on the next request."),
    Command.withSubcommands(commands),
    Command.withGlobalFlags([Json])
  )
})

/**
 * The command that the words ask for when it needs nothing of `CommandServices`: the doctor looks at installations on which nothing
 * else would run, and the author of a bridge may have none. Undefined for all others.
 */
export const aloneFor = (words: ReadonlyArray<string>) => {
  const named = words.find((word) => !word.startsWith("-"))
  if (named === doctor.name) return Effect.map(doctor.loaded, alone)
  return named === bridge.name ? Effect.map(bridge.loaded, alone) : undefined
}

const alone = <Name extends string, Input, Shared, E, R>(command: Command.Command<Name, Input, Shared, E, R>) =>
  Command.make("carteiro-operator").pipe(Command.withSubcommands([command]), Command.withGlobalFlags([Json]))

/** All of them: completions of a shell name every word. */
export const allCommands = Effect.suspend(() => commandsFor([completions]))

const completions = "--completions"

/** How it speaks: one that is written wrongly prints no help, since its process ends with a line that points there. */
export const terminal = Layer.merge(
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] }),
  CliOutput.layerPresenter({
    present: (event) => (event._tag === "InvalidInvocation" ? Effect.void : CliOutput.defaultPresenter.present(event))
  })
)
