import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { ConfigProvider, Effect, Logger } from "effect"
import { CliError, Command } from "effect/cli"
import packageJson from "../package.json" with { type: "json" }
import { carteiro } from "./Cli.ts"
import * as Ground from "./Ground.ts"
import { tellFailure } from "./Output.ts"

// `npm run carteiro -- <command>`: results on stdout, one line of refusal on stderr and exit code 1.

const json = process.argv.includes("--json")
const program = carteiro.pipe(Command.provide(Ground.layer), Command.run({ version: packageJson.version }))

NodeRuntime.runMain(
  program.pipe(
    Effect.scoped,
    Effect.tapError((error) =>
      // Usage errors have been shown with the help already.
      CliError.isCliError(error)
        ? Effect.void
        : Effect.sync(() => process.stderr.write(`${tellFailure(error, json)}\n`))
    ),
    Effect.provide(NodeServices.layer),
    Effect.provide(Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])),
    Effect.provide(ConfigProvider.layer(Effect.sync(() => ConfigProvider.fromEnv({ preserveEmptyStrings: true }))))
  ),
  { disableErrorReporting: true }
)
