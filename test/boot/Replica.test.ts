import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { examine } from "@carteiro/runtime/cli/doctor/Examination.ts"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { runProgram } from "../support/Program.ts"
import { replicated } from "../support/Standby.ts"
import { type StartedNode, startedNode } from "../support/StartedNode.ts"
import { create } from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "carteiro-replica-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

interface Answer {
  readonly status: number
  readonly body: {
    readonly id?: string
    readonly secret?: string
    readonly data?: ReadonlyArray<{ readonly id: string }>
  }
}

const call = ({ file }: StartedNode, key: string, path: string, body?: unknown) =>
  Effect.promise(async (): Promise<Answer> => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }
    const answer = await fetch(`${file.base_url}/v1/${path}`, { headers, ...sent })
    return { status: answer.status, body: (await answer.json()) as Answer["body"] }
  })

const reads = ({ file }: StartedNode, source: string) =>
  Effect.promise(async () => {
    const text = await (await fetch(`${file.admin_url}/metrics`)).text()
    return Number(new RegExp(`^replica_reads_total\\{source="${source}"\\} (\\d+)`, "m").exec(text)?.[1])
  })

const idsOf = ({ body }: Answer) => (body.data ?? []).map(({ id }) => id)

it.live(
  "lists of the API come from the replica except for a caller who just wrote, single reads never do, and a dead replica fails no request",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const servers = yield* replicated
        const env = {
          CARTEIRO_DATA_DIR: yield* folder,
          PORT: "0",
          DATABASE_URL: servers.primary,
          CARTEIRO_READ_DATABASE_URL: servers.standby,
          CARTEIRO_READ_DATABASE_LAG_MS: "600000",
          CARTEIRO_RATE_LIMITS: "off"
        }
        const node = yield* startedNode(env)
        const writer = node.file.sandbox.api_key
        const made = yield* call(node, writer, "api-keys", {
          name: "reports",
          environment: "sandbox",
          scopes: ["webhooks:read"]
        })
        assert.strictEqual(made.status, 201, JSON.stringify(made.body))
        const reader = made.body.secret ?? ""
        const list = (key: string) => call(node, key, "webhook-endpoints")
        yield* until(
          Effect.andThen(
            list(writer),
            Effect.map(reads(node, "replica"), (count) => count > 0)
          )
        )

        yield* servers.pause
        const endpoint = { url: "https://receiver.example/hook", subscribed_events: ["message.sent"] }
        const { body, status } = yield* call(node, writer, "webhook-endpoints", endpoint)
        assert.strictEqual(status, 201)
        const id = body.id ?? ""
        assert.notInclude(idsOf(yield* list(reader)), id, "a list within the bound")
        assert.include(idsOf(yield* list(writer)), id, "a list of the caller who wrote")
        assert.strictEqual((yield* call(node, reader, `webhook-endpoints/${id}`)).body.id, id, "a read of one thing")
        assert.isAbove(yield* reads(node, "written"), 0)

        const provider = ConfigProvider.fromEnv({ env, preserveEmptyStrings: true })
        const doctor = Effect.map(Effect.provide(examine, ConfigProvider.layer(provider)), (findings) =>
          findings.filter(({ check }) => check === "replica").map(({ found, status }) => `${status}: ${found}`)
        )
        assert.match((yield* doctor).join(), /^ok: The replica for lists is .+ of the log behind\.$/)

        yield* servers.kill
        const fallen = yield* reads(node, "failed")
        yield* until(
          Effect.gen(function* () {
            assert.strictEqual((yield* list(reader)).status, 200)
            return (yield* reads(node, "failed")) > fallen
          })
        )
        assert.include(idsOf(yield* list(reader)), id, "the primary answers")
        assert.include(node.printed.stderr, `"msg":"lists are read from the replica"`)
        yield* until(Effect.sync(() => node.printed.stderr.includes(`"msg":"lists are read from the primary"`)))
        assert.match((yield* doctor).join(), /^wrong: The server of CARTEIRO_READ_DATABASE_URL cannot answer lists/)
      })
    ),
  240_000
)

it.live(
  "a server that is no standby of the database is refused as its replica",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const url = yield* create()
        const env = { CARTEIRO_DATA_DIR: yield* folder, PORT: "0", DATABASE_URL: url, CARTEIRO_READ_DATABASE_URL: url }
        const { code, stderr } = yield* runProgram("main.ts", env)
        assert.strictEqual(code, 1)
        assert.include(
          stderr,
          "CARTEIRO_READ_DATABASE_URL: expected a standby of DATABASE_URL, but it is no standby; correct it, or leave it out"
        )
      })
    ),
  240_000
)
