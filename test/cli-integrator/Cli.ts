import { type ChildProcessWithoutNullStreams, fork, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Ids } from "@carteiro/owners/Ids.ts"
import type { DevFile } from "@carteiro/runtime/boot/DevFile.ts"
import { Carteiro } from "@carteiro/sdk"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { CookieJar } from "../support/CookieJar.ts"
import { masterKeyOfRun, sharedProduct } from "../support/ProductOfRun.ts"
import { withoutSettings } from "../support/Program.ts"
import { seedKey } from "../support/Tenants.ts"
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

/**
 * The product of the run, with a project of this file's own in place of the demonstration's: its sandbox has nothing in it
 * but what a new one has. Production is the demonstration's.
 */
export class Product extends Context.Service<Product, DevFile & { readonly folder: string; readonly visit: Visit }>()(
  "@carteiro/test/cli-integrator/Product"
) {
  /** Without the process of commands, for tests that run none. */
  static readonly alone = Layer.effect(
    Product,
    Effect.gen(function* () {
      const demo = yield* sharedProduct
      const folder = yield* emptyFolder
      const own = yield* Effect.provide(
        ownProject(demo),
        Layer.mergeAll(
          Ids.layer,
          Secrets.layer(Redacted.make([Buffer.from(masterKeyOfRun, "hex")])),
          TestDatabase.at(demo.database_url)
        )
      )
      const visit = yield* Effect.promise(() => signedIn(own.link))
      return { ...demo, project_id: own.project_id, sandbox: own.sandbox, folder, visit }
    })
  )

  static readonly layer = Layer.merge(this.alone, Commands.layer)
}

/** Makes a project as a customer makes one, with a key of its sandbox, and a link that signs its owner in. */
const ownProject = Effect.fnUntraced(function* (demo: DevFile) {
  const ids = yield* Ids
  const sql = yield* SqlClient.SqlClient
  const secrets = yield* Secrets
  // A product that has just started answers 503 for a while beside a busy machine.
  const client = (apiKey: string) => new Carteiro({ apiKey, baseUrl: demo.base_url, maxRetries: 20 })
  const slug = `files-${Buffer.from(ids.bytes(6)).toString("hex")}`
  const project = yield* Effect.promise(() => client(demo.sandbox.api_key).projects.create({ name: slug, slug }))
  const environment_id = project.environments[0]?.id ?? ""
  const { key } = yield* seedKey({
    id: environment_id,
    project_id: project.id,
    organization_id: demo.organization_id,
    kind: "sandbox"
  })
  const [number] = yield* Effect.promise(() => client(key).phoneNumbers.list().toArray({ limit: 1 }))
  const token = Buffer.from(ids.bytes(32)).toString("base64url")
  yield* Effect.orDie(sql`insert into sign_in_links (token_hash, organization_id, member_id, created_at, expires_at)
    select ${secrets.mac("sign_in", token)}, organization_id, id, now(), now() + interval '1 hour' from members
    where organization_id = ${demo.organization_id}`)
  return {
    project_id: project.id,
    sandbox: { environment_id, api_key: key, phone_number_id: number?.id ?? null },
    link: `${demo.base_url}/dashboard/sign-in?token=${token}`
  }
})

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

/** Decides about the device request of this page for a project, as the person in the console does. A-DEV-18 */
export const decide = (
  { project_id, visit }: Pick<Product["Service"], "project_id" | "visit">,
  page: string,
  decision: "approve" | "deny"
) =>
  Effect.promise(async () => {
    const request = await visit(page)
    const [, action = ""] = /action="(\/dashboard\/device\/[^"]+)"/.exec(request) ?? []
    const form = new URLSearchParams({ csrf: csrfOf(request), decision, project_id })
    for (const [, scope = ""] of request.matchAll(/name="scopes" value="([^"]+)"/g)) form.append("scopes", scope)
    await visit(`${new URL(page).origin}${action}`, form)
  })
