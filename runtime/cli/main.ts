import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Effect, Exit, Logger, Runtime } from "effect"
import { Command } from "effect/cli"
import { environment } from "../boot/Settings.ts"
import packageJson from "../package.json" with { type: "json" }
import { carteiro, terminal } from "./Cli.ts"
import { failureOf, tellFailure } from "./kit/Failure.ts"
import * as Ground from "./kit/Ground.ts"

// `npm run carteiro -- <command>`: results on stdout; a refusal is one line on stderr and exit code 1, a command that is
// written wrongly the same with exit code 2.

const json = process.argv.includes("--json")
const program = carteiro.pipe(Command.provide(Ground.layer), Command.run({ version: packageJson.version }))

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
