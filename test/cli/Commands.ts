import { roomServices } from "@carteiro/runtime/app/Fold.ts"
import { commandsFor, terminal } from "@carteiro/runtime/cli/Cli.ts"
import { failureOf, tellFailure } from "@carteiro/runtime/cli/kit/Failure.ts"
import * as Feedback from "@carteiro/runtime/feedback/room.ts"
import { NodeServices } from "@effect/platform-node"
import { Console, Effect, Exit, Layer } from "effect"
import { Command } from "effect/cli"
import { SqlClient } from "effect/sql"
import { ApiTest } from "../support/ApiTest.ts"
import { served } from "../support/ServedRooms.ts"
import { nobodyCalled } from "../support/Vendors.ts"

/** A running node beside the commands, on one database. */
export const CliTest = ApiTest(Layer.merge(roomServices, served(Feedback.room)), Layer.empty).pipe(
  Layer.provideMerge(Layer.merge(NodeServices.layer, nobodyCalled))
)

/** What a command printed, and how it ended. */
export interface Ran {
  readonly ok: boolean
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads members of answers it has not declared
  readonly json: any
  readonly refusal: string
}

/** Runs one of the operator's commands as its process would, but for the process. */
export const run = Effect.fnUntraced(function* (...words: ReadonlyArray<string>) {
  const lines: Array<string> = []
  const log = (...parts: ReadonlyArray<unknown>) => void lines.push(parts.join(" "))
  const console: Console.Console = Object.assign(Object.create(globalThis.console), { log, error: log })
  const carteiro = yield* commandsFor(words)
  const exit = yield* Effect.exit(Command.runWith(carteiro, { version: "0" })(words)).pipe(
    Effect.provide(terminal),
    Effect.provideService(Console.Console, console)
  )
  const text = lines.join("\n")
  const failure = Exit.isFailure(exit) ? failureOf(exit.cause) : undefined
  const ran: Ran = {
    ok: Exit.isSuccess(exit),
    text,
    json: words.includes("--json") && Exit.isSuccess(exit) ? JSON.parse(text) : {},
    refusal: failure === undefined ? "" : tellFailure(failure, false)
  }
  return ran
})

/** Returns the actions of an organization's audit log about one thing, oldest first, each with its settings. */
export const auditOf = Effect.fnUntraced(function* (organization: string, subject: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{
    readonly action: string
    readonly after: string | null
  }>`select action, after from audit_log
    where organization_id = ${organization} and subject = ${subject} order by id`
  return rows.map(({ action, after }) => [action, after] as const)
})

/** The same with `--json`, answering the document. */
export const json = (...words: ReadonlyArray<string>) => Effect.map(run(...words, "--json"), (ran) => ran.json)
