import { type ChildProcessWithoutNullStreams, fork, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Context, Effect, Layer } from "effect"
import { CookieJar } from "../support/CookieJar.ts"
import { withoutSettings } from "../support/Program.ts"
import { type StartedNode, startedNode } from "../support/StartedNode.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const program = join(import.meta.dirname, "../../packages/cli/carteiro.js")

/** How a run ended, and all it printed. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** One command for the process of `CommandHost.ts`. */
export interface Command {
  readonly id: number
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly words: ReadonlyArray<string>
}

/** Runs commands in one process for as long as the layer lives, side by side where they share a folder. */
export class Commands extends Context.Service<
  Commands,
  { readonly run: (command: Omit<Command, "id">) => Effect.Effect<Ended> }
>()("@carteiro/test/cli-integrator/Commands") {
  static readonly layer = Layer.effect(
    Commands,
    Effect.gen(function* () {
      const host = yield* Effect.acquireRelease(
        Effect.sync(() => fork(join(import.meta.dirname, "CommandHost.ts"), { execArgv: [], env: withoutSettings() })),
        (running) => Effect.sync(() => void running.kill("SIGKILL"))
      )
      const waiting = new Map<number, (ended: Ended) => void>()
      host.on("message", ({ id, ...ended }: Ended & Pick<Command, "id">) => {
        waiting.get(id)?.(ended)
        waiting.delete(id)
      })
      host.once("exit", (code) => {
        for (const tell of waiting.values()) tell({ code, stdout: "", stderr: "the process of the commands ended" })
      })
      let count = 0
      return Commands.of({
        run: (command) =>
          Effect.callback((resume) => {
            const id = ++count
            waiting.set(id, (ended) => resume(Effect.succeed(ended)))
            host.send({ ...command, id } satisfies Command)
          })
      })
    })
  )
}

/** The product as `npm start` serves it in development, without limits and without waiting for simulated statuses. */
export class Product extends Context.Service<
  Product,
  StartedNode["file"] & { readonly folder: string; readonly visit: Visit }
>()("@carteiro/test/cli-integrator/Product") {
  static readonly layer = Layer.effect(
    Product,
    Effect.gen(function* () {
      const { url } = yield* TestDatabase
      const folder = yield* emptyFolder
      const node = yield* startedNode({ ...settings(url, folder), PORT: "0" })
      const visit = yield* Effect.promise(() => signedIn(node.file.dashboard?.sign_in_url ?? ""))
      return { ...node.file, folder, visit }
    })
  ).pipe(Layer.provideMerge(TestDatabase.layer), Layer.merge(Commands.layer))
}

/** Settings of a node for these tests. */
export const settings = (database: string, folder: string) => ({
  DATABASE_URL: database,
  CARTEIRO_DATA_DIR: join(folder, "data"),
  CARTEIRO_RATE_LIMITS: "off",
  CARTEIRO_SANDBOX_STATUS_DELAY_MS: "0",
  CARTEIRO_WEBHOOK_RETRY_SANDBOX: "0s"
})

/** A folder of its own, gone when the scope closes. */
export const emptyFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "carteiro-cli-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

type Env = Readonly<Record<string, string>>

/** Runs a command to its end, with its settings in a folder and no variable of the product but these. */
export const carteiro = (
  folder: string,
  env: Env,
  ...words: ReadonlyArray<string>
): Effect.Effect<Ended, never, Commands> =>
  Effect.flatMap(Commands, ({ run }) => run({ folder, env: environment(folder, env), words }))

/** Runs a command in a process of its own: where its exit code, its pipes or its own environment are what is tested. */
export const carteiroProcess = (folder: string, env: Env, ...words: ReadonlyArray<string>): Effect.Effect<Ended> =>
  Effect.flatMap(started(folder, env, ...words), ({ child, ended }) => {
    child.stdin.end()
    return ended
  }).pipe(Effect.scoped)

const environment = (folder: string, env: Env) => ({
  ...withoutSettings(),
  XDG_CONFIG_HOME: join(folder, "config"),
  ...env
})

/** One run under way. */
export interface Started {
  readonly child: ChildProcessWithoutNullStreams
  readonly printed: { stdout: string; stderr: string }
  readonly ended: Effect.Effect<Ended>
  /** Waits for an output that matches. */
  readonly prints: (pattern: RegExp) => Effect.Effect<RegExpExecArray>
}

/** Starts a command; closing the scope kills what is left of it. */
export const started = Effect.fnUntraced(function* (folder: string, env: Env, ...words: ReadonlyArray<string>) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [program, ...words], {
        env: environment(folder, env),
        cwd: folder
      })
    ),
    (running) => Effect.sync(() => void running.kill("SIGKILL"))
  )
  const printed = { stdout: "", stderr: "" }
  const hear = new Set<() => void>()
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (chunk) => {
      printed[name] += String(chunk)
      for (const each of [...hear]) each()
    })
  }
  const exit = new Promise<Ended>((resolve) => child.once("close", (code) => resolve({ code, ...printed })))
  const prints = (pattern: RegExp) =>
    Effect.callback<RegExpExecArray>((resume) => {
      const look = () => {
        const found = pattern.exec(printed.stdout) ?? pattern.exec(printed.stderr)
        if (found === null) return
        hear.delete(look)
        resume(Effect.succeed(found))
      }
      hear.add(look)
      look()
      child.once("close", (code) =>
        resume(Effect.die(new Error(`ended with ${code}: ${printed.stdout} ${printed.stderr}`)))
      )
    })
  return { child, printed, prints, ended: Effect.promise(() => exit) } satisfies Started as Started
})

/** Reads the one JSON document that a command printed. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads members of answers it has not declared
export const json = ({ stdout }: Ended): any => JSON.parse(stdout)

/** One visit of a signed-in person: the text of a page, or of the answer to a form. */
type Visit = (url: string, form?: URLSearchParams) => Promise<string>

/** Signs a person in to the console by a one-time link. */
const signedIn = async (link: string): Promise<Visit> => {
  const jar = new CookieJar()
  const { origin, searchParams } = new URL(link)
  const visit: Visit = async (url, form) => {
    const path = new URL(url).pathname
    const sent = form === undefined ? {} : { method: "POST", body: form }
    const answer = await fetch(url, {
      headers: { cookie: jar.header(path) ?? "", origin },
      redirect: "manual",
      ...sent
    })
    for (const cookie of answer.headers.getSetCookie()) jar.take(cookie, path)
    return answer.text()
  }
  const csrf = csrfOf(await visit(link))
  await visit(`${origin}/dashboard/sign-in`, new URLSearchParams({ csrf, token: searchParams.get("token") ?? "" }))
  return visit
}

const csrfOf = (page: string): string => /name="csrf" value="([^"]*)"/.exec(page)?.[1] ?? ""

/** Decides about the device request of this page, as the person in the console does. A-DEV-18 */
export const decide = (visit: Visit, page: string, decision: "approve" | "deny") =>
  Effect.promise(async () => {
    const request = await visit(page)
    const [, action = ""] = /action="(\/dashboard\/device\/[^"]+)"/.exec(request) ?? []
    const [, project = ""] = /value="(prj_[^"]+)"/.exec(request) ?? []
    const form = new URLSearchParams({ csrf: csrfOf(request), decision, project_id: project })
    for (const [, scope = ""] of request.matchAll(/name="scopes" value="([^"]+)"/g)) form.append("scopes", scope)
    await visit(`${new URL(page).origin}${action}`, form)
  })
