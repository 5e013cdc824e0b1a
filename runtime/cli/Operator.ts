import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Exit, Layer, Logger, Runtime } from "effect"
import { Command } from "effect/cli"
import { environment } from "../boot/Environment.ts"
import packageJson from "../package.json" with { type: "json" }
import { aloneFor, commandsFor, terminal } from "./Cli.ts"
import { failureOf, tellFailure } from "./kit/Failure.ts"

// `npm run operator -- <command>`: results on stdout; a refusal is one line on stderr and exit code 1, a command that is
// written wrongly the same with exit code 2.

const json = process.argv.includes("--json")

/** The services of the commands, loaded by the first that runs: the help needs none of them. */
const services = Layer.unwrap(
  Effect.map(
    Effect.promise(() => import("./kit/CommandServices.ts")),
    ({ layer }) => layer
  )
)

const words = process.argv.slice(2)
const run = Command.run({ version: packageJson.version })
const alone = aloneFor(words)

const program =
  alone === undefined
    ? Effect.flatMap(commandsFor(words), (carteiro) => carteiro.pipe(Command.provide(services), run))
    : Effect.flatMap(alone, run)

NodeRuntime.runMain(
  program.pipe(
    Effect.scoped,
    Effect.provide(terminal),
    Effect.provide(NodeServices.layer),
    Effect.provide(Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])),
    Effect.provide(environment)
  ),
  {
    disableErrorReporting: true,
    teardown: (exit, onExit) => {
      if (Exit.isSuccess(exit)) return onExit(0)
      const failure = failureOf(exit.cause)
      if (failure === undefined) return Runtime.defaultTeardown(exit, onExit)
      process.stderr.write(`${tellFailure(failure, json)}\n`, () => onExit(failure.exitCode))
    }
  }
)
