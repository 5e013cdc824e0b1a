import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { carteiro, json, Product } from "./Cli.ts"

const slow = 240_000

/** Events that no sandbox plays: it never fails at deleting or at a link, a probe is no event, and hearing always succeeds,
 * and a sandbox has no phone app. */
const unplayed = [
  "group.create_failed",
  "group.delete_failed",
  "group.invite_link_reset_failed",
  "message.echoed",
  "message.media_stored",
  "message.media_transcription_failed",
  "payment.late_outcome",
  "webhook.test"
]

interface Listed {
  readonly name: string
  readonly events: ReadonlyArray<string>
}

it.layer(Product.layer, { excludeTestServices: true, timeout: slow })("trigger", (it) => {
  const run = Effect.fnUntraced(function* (...words: ReadonlyArray<string>) {
    const { base_url, folder, sandbox } = yield* Product
    const env = { CARTEIRO_API_KEY: sandbox.api_key, CARTEIRO_API_BASE: base_url }
    return yield* carteiro(folder, env, "trigger", ...words)
  })

  it.effect("lists a scenario for everything that a sandbox simulates M-SBX-02", () =>
    Effect.gen(function* () {
      const { base_url, sandbox } = yield* Product
      const listed: ReadonlyArray<Listed> = json(yield* run("--list", "--json"))
      const names = listed.map(({ name }) => name)
      const call = (path: string) =>
        Effect.promise(() =>
          fetch(`${base_url}${path}`, { headers: { authorization: `Bearer ${sandbox.api_key}` } }).then(
            (answer) => answer.json() as Promise<Record<string, never>>
          )
        )
      const { webhooks } = yield* call("/openapi.json")
      const events = new Set(listed.flatMap((one) => one.events))
      const missing = Object.keys(webhooks ?? {}).filter((type) => !events.has(type))
      assert.sameMembers(missing, unplayed)
      const quickstart = yield* call("/v1/sandbox/quickstart")
      const { llm_failure } = (
        quickstart as { readonly capabilities?: { readonly llm_failure: ReadonlyArray<string> } }
      ).capabilities ?? { llm_failure: [] }
      assert.includeMembers(
        names,
        llm_failure.map((failure) => `llm.${failure}`)
      )
      assert.isAbove(llm_failure.length, 3)
      const told = yield* run("--list")
      for (const name of names) assert.match(told.stdout, new RegExp(`^${name} +\\w`, "m"))
    })
  )

  const listOf = (path: string) =>
    Effect.flatMap(Product, ({ base_url, sandbox }) =>
      Effect.promise(() =>
        fetch(`${base_url}/v1/${path}`, { headers: { authorization: `Bearer ${sandbox.api_key}` } }).then(
          (answer) => answer.json() as Promise<Record<string, unknown>>
        )
      )
    )

  it.effect("moves the clock of a sandbox only with consent", () =>
    Effect.gen(function* () {
      const refused = yield* run("window-closing")
      assert.strictEqual(refused.code, 1)
      assert.match(refused.stderr, /nothing was done \(not_confirmed\)\nnext: agree with --yes: /)
      assert.deepInclude(yield* listOf("sandbox/clock"), { lead_seconds: 0, frozen: false })
      assert.deepStrictEqual((yield* listOf("messages")).data, [])
    })
  )

  it.effect("fails when the breaker stays closed, and leaves no endpoint behind", () =>
    Effect.gen(function* () {
      // An endpoint that hears of nothing fails at nothing.
      const refused = yield* run("webhook.breaker", 'subscribed_events:=["message.failed"]', "--wait", "0s")
      assert.strictEqual(refused.code, 1, refused.stdout)
      assert.match(refused.stderr, /^error: the breaker of we_\w+ did not open within 0 seconds.*breaker_not_open/m)
      assert.deepStrictEqual((yield* listOf("webhook-endpoints")).data, [])
    })
  )

  it.effect(
    "plays every scenario, and its events follow M-SBX-03 M-SBX-23 M-FLOW-09",
    () =>
      Effect.gen(function* () {
        const listed: ReadonlyArray<Listed> = json(yield* run("--list", "--json"))
        const play = Effect.fnUntraced(function* ({ events, name }: Listed) {
          const played = yield* run(name, "--json", "--yes")
          assert.strictEqual(played.code, 0, `${name}: ${played.stderr}`)
          const { events: followed, result } = json(played)
          assert.includeMembers(
            followed.map(({ type }: { readonly type: string }) => type),
            [...events],
            name
          )
          if (name !== "webhook.breaker") return
          assert.strictEqual(result.disabled_reason, "consecutive_failures")
          assert.notInclude(JSON.stringify(yield* listOf("webhook-endpoints")), result.id)
        })
        // A turned clock changes what the others meet.
        const turning = ({ name }: Listed) => name === "window-closing"
        const others = listed.filter((one) => !turning(one))
        yield* Effect.forEach(others, play, { concurrency: 6, discard: true })
        yield* Effect.forEach(listed.filter(turning), play, { discard: true })
        const again = "upstream_signup_session.completed"
        const refused = yield* run(again)
        assert.match(refused.stderr, /nothing was done \(not_confirmed\)\nnext: agree to disconnect it with --yes: /)
        assert.strictEqual((yield* run(again, "--yes")).code, 0)
        const ahead = yield* run("webhook.breaker")
        assert.match(ahead.stderr, /stands or is ahead \(breaker_not_open\)\nnext: empty the sandbox, /)
      }),
    slow
  )

  it.effect("fills in fields, prints the events that followed, and suggests the nearest name", () =>
    Effect.gen(function* () {
      const played = yield* run(
        "message.received",
        "text.body=Quero agendar",
        "from=+5511955554444",
        'metadata:={"n":1}'
      )
      assert.match(played.stdout, /^message\.received +evt_\w+ {2}message_id=msg_\w+ status=received\n$/)
      const failed = json(yield* run("message.failed", "--json"))
      assert.strictEqual(failed.events.at(-1).data.error_code, "sandbox_delivery_failure")
      const wrong = yield* run("message.nothing")
      assert.strictEqual(wrong.code, 2)
      assert.match(wrong.stderr, /next: one of: message\.received, /)
    })
  )

  it.effect("asks of a mistyped scenario whether the nearest one was meant, and plays nothing", () =>
    Effect.gen(function* () {
      for (const [typed, meant] of [
        ["mesage.received", "message\\.received"],
        ["message.recieved", "message\\.received"],
        ["Payment.Paid", "payment\\.paid"],
        ["window-closng", "window-closing"],
        ["template.aproved", "template\\.approved"]
      ] as const) {
        const { code, stderr, stdout } = yield* run(typed)
        assert.deepStrictEqual([code, stdout], [2, ""], typed)
        assert.match(stderr, new RegExp(`^error: there is no scenario ${typed} .*\nnext: did you mean ${meant}\\? `))
      }
      const far = yield* run("xyzzy", "--json")
      assert.strictEqual(far.code, 2)
      assert.strictEqual(JSON.parse(far.stderr).error.next, "carteiro trigger --list")
    })
  )

  it.effect("refuses with a production key", () =>
    Effect.gen(function* () {
      const { base_url, folder, production } = yield* Product
      const env = { CARTEIRO_API_KEY: production.api_key, CARTEIRO_API_BASE: base_url }
      const refused = yield* carteiro(folder, env, "trigger", "message.received")
      assert.strictEqual(refused.code, 1)
      assert.match(refused.stderr, /sandbox_only_route.*\nnext: switch to a sandbox: carteiro switch\n/)
    })
  )
})
