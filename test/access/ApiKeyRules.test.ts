import {
  expiryWithinBounds,
  type MintPlan,
  planCreate,
  rotateRefusal,
  targetRefusal
} from "@carteiro/runtime/access/keys/ApiKeyRules.ts"
import type { CreateApiKey } from "@carteiro/schema/access/ApiKey.ts"
import { isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { now, scopes } from "./Arbitraries.ts"

const minter = {
  organization_id: "org_a",
  project_id: "prj_a",
  environment: "sandbox",
  scopes: ["api_keys:admin", "messages:read", "messages:write"]
} as const
const body: CreateApiKey = { name: "  CI  ", environment: "sandbox", scopes: ["messages:read"] }
const plan = (change: Partial<CreateApiKey>) => planCreate({ ...body, ...change }, minter, now)
const paramOf = (outcome: ReturnType<typeof planCreate>) => (isApiError(outcome) ? outcome.param : "accepted")

describe("ApiKeyRules", () => {
  it("mints into the creating key's project without project_id, null or its own id A-KEY-14", () => {
    const expected: MintPlan = { name: "CI", project_id: "prj_a", scopes: ["messages:read"], expires_at: null }
    for (const project_id of [undefined, null, "prj_a"]) {
      const change = project_id === undefined ? {} : { project_id }
      assert.deepStrictEqual(plan(change), expected)
    }
  })

  it("mints into the named sibling project A-KEY-15 A-KEY-16", () => {
    const planned = plan({ project_id: "prj_b" })
    assert.isFalse(isApiError(planned))
    assert.strictEqual((planned as MintPlan).project_id, "prj_b")
    assert.isUndefined(targetRefusal({ organization_id: "org_a", archived: false, deleted: false }, minter))
  })

  it("missing, foreign, archived and deleted targets answer the same 404 A-KEY-17 A-KEY-19 A-PROJ-13", () => {
    const targets = [
      undefined,
      { organization_id: "org_b", archived: false, deleted: false },
      { organization_id: "org_a", archived: true, deleted: false },
      { organization_id: "org_a", archived: false, deleted: true }
    ]
    const answers = targets.map((target) => targetRefusal(target, minter))
    for (const answer of answers) {
      assert.strictEqual(answer?._tag, "project_not_found")
      assert.strictEqual(answer?.message, answers[0]?.message)
    }
  })

  it("environment is a guard, with or without project_id A-AUTH-08 A-KEY-31", () => {
    for (const change of [{}, { project_id: "prj_b" }]) {
      const refusal = plan({ ...change, environment: "production" })
      assert.isTrue(isApiError(refusal))
      assert.strictEqual(paramOf(refusal), "environment")
      assert.strictEqual(isApiError(refusal) && refusal._tag, "invalid_api_key_request")
    }
  })

  it("a scope the creating key lacks is refused at its index A-KEY-20", () => {
    assert.strictEqual(paramOf(plan({ scopes: ["messages:read", "billing:read", "groups:read"] })), "scopes.1")
  })

  it("an accepted set is a strict subset without repeats and never administrative A-KEY-20 A-KEY-21", () => {
    fc.assert(
      fc.property(scopes, fc.array(fc.nat(20)), (held, picks) => {
        const caller = { ...minter, scopes: [...new Set([...held, "api_keys:admin" as const])] }
        const asked = picks.flatMap((at) => held.filter((scope) => scope !== "api_keys:admin")[at] ?? [])
        const planned = planCreate({ ...body, scopes: asked }, caller, now)
        assert.isFalse(isApiError(planned))
        const granted = (planned as MintPlan).scopes
        assert.strictEqual(new Set(granted).size, granted.length)
        assert.isTrue(granted.every((scope) => caller.scopes.includes(scope)))
        assert.isBelow(granted.length, caller.scopes.length)
      })
    )
  })

  it("expires_at must be in the future, at most 5 years ahead A-KEY-13", () => {
    const latest = Date.UTC(2031, 0, 1)
    assert.strictEqual(paramOf(plan({ expires_at: formatTimestamp(now) })), "expires_at")
    assert.strictEqual(paramOf(plan({ expires_at: formatTimestamp(latest + 1) })), "expires_at")
    for (const expires_at of [now + 1, latest]) {
      assert.include(plan({ expires_at: formatTimestamp(expires_at) }), { expires_at })
    }
    assert.include(plan({ expires_at: null }), { expires_at: null })
    assert.isFalse(expiryWithinBounds(Number.NaN, now))
  })

  it("reports the first violation in field order A-KEY-31", () => {
    const expires_at = formatTimestamp(now - 1)
    assert.strictEqual(paramOf(plan({ environment: "production", scopes: ["groups:read"], expires_at })), "environment")
    assert.strictEqual(paramOf(plan({ scopes: ["groups:read"], expires_at })), "scopes.0")
  })

  it("rotation needs every scope of the key, then a working key A-KEY-26 A-KEY-28", () => {
    const key = { status: "active", expires_at: null, scopes: ["messages:read", "billing:read"] } as const
    const refusal = rotateRefusal(key, minter.scopes, now)
    assert.strictEqual(refusal?._tag, "insufficient_scope")
    assert.deepStrictEqual(refusal?.details?.missing_scopes, ["billing:read"])
    const own = { ...key, scopes: minter.scopes }
    assert.isUndefined(rotateRefusal(own, minter.scopes, now))
    assert.strictEqual(rotateRefusal({ ...own, status: "revoked" }, minter.scopes, now)?._tag, "api_key_not_active")
    assert.strictEqual(rotateRefusal({ ...own, expires_at: now }, minter.scopes, now)?._tag, "api_key_not_active")
  })
})
