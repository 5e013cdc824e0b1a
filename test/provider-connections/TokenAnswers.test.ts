import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import type { UpstreamCalls, UpstreamResult } from "../../packages/provider-upstream/UpstreamCalls.ts"
import { upstreamCredentials } from "../../packages/provider-upstream/UpstreamCredentials.ts"

const token = Redacted.make("token")

/** A platform that gives each of these answers once, and then repeats the last one. */
const answering = (...answers: readonly [unknown, ...ReadonlyArray<unknown>]) => {
  let asked = 0
  const call = (): Effect.Effect<UpstreamResult> =>
    Effect.sync(() => ({ _tag: "Answered", status: 200, json: answers[Math.min(asked++, answers.length - 1)] }))
  return upstreamCredentials({ call } as unknown as UpstreamCalls, { id: "app", secrets: [Redacted.make("secret")] })
}

it.effect('a token is not invalid because an answer does not mention it gaps-2 L "Token checks"', () =>
  Effect.gen(function* () {
    assert.strictEqual((yield* answering({ data: {} }).inspect(token))._tag, "Failed")
    assert.strictEqual((yield* answering({}).inspect(token))._tag, "Failed")
    const known = yield* answering({ data: { is_valid: false } }).inspect(token)
    assert.strictEqual(known._tag === "Done" && known.value.is_valid, false)
  })
)

it.effect('an impossible instant is not taken as the expiry of a token gaps-2 L "Token checks"', () =>
  Effect.gen(function* () {
    const facts = yield* answering({ data: { is_valid: true, expires_at: 1e300 } }).inspect(token)
    assert.strictEqual(facts._tag === "Done" && facts.value.expires_at, null)
    const exchanged = yield* answering({ access_token: "t", expires_in: 1e300 }).exchange("code")
    assert.strictEqual(exchanged._tag === "Done" && exchanged.value.expires_in_ms, 100 * 366 * 86_400_000)
  })
)

it.effect('a truncated list of numbers does not prove that a number is missing gaps-2 L "Token checks"', () =>
  Effect.gen(function* () {
    const account = { biz_account_id: "1", token }
    const page = { data: [{ id: "7" }], paging: { next: "https://x.test", cursors: { after: "a" } } }
    assert.strictEqual((yield* answering({ error: "none" }).numbers(account))._tag, "Failed")
    assert.strictEqual((yield* answering(page).numbers(account))._tag, "Failed")
    const whole = yield* answering(page, { data: [{ id: "8" }] }).numbers(account)
    assert.deepStrictEqual(whole._tag === "Done" && whole.value.map((one) => one.upstream_phone_number_id), ["7", "8"])
  })
)

it.effect("a call that the platform refuses under the present app secret is made under the second one", () =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const call = ({ query, token }: { readonly query: Record<string, string>; readonly token?: Redacted.Redacted }) =>
      Effect.sync(() => {
        const secret = query.client_secret ?? (token && Redacted.value(token))
        asked.push(String(secret))
        return secret === "app|new" || secret === "new"
          ? { _tag: "Answered", status: 200, json: { access_token: "t", data: { is_valid: true } } }
          : { _tag: "Answered", status: 400, json: { error: { code: 190 } } }
      })
    const under = (...secrets: readonly [string, ...ReadonlyArray<string>]) => {
      const [present, ...others] = secrets
      return upstreamCredentials({ call } as unknown as UpstreamCalls, {
        id: "app",
        secrets: [Redacted.make(present), ...others.map((one) => Redacted.make(one))]
      })
    }
    assert.strictEqual((yield* under("old", "new").exchange("code"))._tag, "Done")
    assert.strictEqual((yield* under("old", "new").inspect(token))._tag, "Done")
    assert.strictEqual((yield* under("new", "old").exchange("code"))._tag, "Done")
    assert.strictEqual((yield* under("old", "older").exchange("code"))._tag, "Refused")
    assert.deepStrictEqual(asked, ["old", "new", "app|old", "app|new", "new", "old", "older"])
  })
)
