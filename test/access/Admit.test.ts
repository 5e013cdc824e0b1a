import { type AdmissionFacts, createProjectOperation, findRefusal } from "@carteiro/runtime/access/admission/Admit.ts"
import { KeyScope } from "@carteiro/schema/conventions/Access.ts"
import { keyRefusals } from "@carteiro/schema/conventions/SharedErrors.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { facts, now, scopes } from "./Arbitraries.ts"

const requests = fc.record({
  traits: fc.record({ scopes, sandboxOnly: fc.boolean(), restrictedWithoutCredit: fc.boolean() }),
  operation: fc.constantFrom("account.get", createProjectOperation),
  now: fc.constant(now),
  completed: fc.boolean()
})

const working: AdmissionFacts = {
  organization_id: "org_a",
  project_id: "prj_a",
  environment_id: "env_a",
  api_key_id: "key_a",
  key_prefix: "svc_live_a1B2c3D4",
  environment: "production",
  scopes: [],
  status: "active",
  expires_at: null,
  organization_suspended: false,
  organization_removed: false,
  credit_blocked: false,
  project_deleted: false,
  capabilities_off: [],
  over_spend_cap: false,
  default_region: "BR"
}
const plain = { traits: { scopes: [] }, operation: "account.get", now, completed: false } as const
const codeOf = (change: Partial<AdmissionFacts>, request: Parameters<typeof findRefusal>[1] = plain) =>
  findRefusal({ ...working, ...change }, request)?._tag

describe("Admit", () => {
  it("answers the first refusal in the order 401, suspended, scope, gone, sandbox, credit A-AUTH-14", () => {
    fc.assert(
      fc.property(fc.option(facts, { nil: undefined, freq: 20 }), requests, (known, request) => {
        const production = known?.environment === "production"
        const dead = known === undefined || known.status === "revoked" || (known.expires_at ?? now + 1) <= now
        const ladder: ReadonlyArray<readonly [boolean, string]> = [
          [dead, "authentication_error"],
          [known?.organization_suspended === true, "organization_suspended"],
          [!request.traits.scopes.every((scope) => known?.scopes.includes(scope)), "insufficient_scope"],
          [known?.organization_removed === true && request.operation === "projects.create", "organization_not_found"],
          [known?.organization_removed === true || known?.project_deleted === true, "project_not_found"],
          [production && request.traits.sandboxOnly, "sandbox_only_route"],
          [
            production && request.traits.restrictedWithoutCredit && known.credit_blocked && !request.completed,
            "credit_balance_exhausted"
          ]
        ]
        assert.strictEqual(findRefusal(known, request)?._tag, ladder.find(([applies]) => applies)?.[1])
      }),
      { numRuns: 2000 }
    )
  })

  it("unknown, revoked and expired keys answer 401 with one code, and a revoked one like an expired one A-AUTH-05 A-AUTH-06", () => {
    const answers = [
      findRefusal(undefined, plain),
      findRefusal({ ...working, status: "revoked" }, plain),
      findRefusal({ ...working, expires_at: now }, plain)
    ]
    for (const answer of answers) {
      assert.strictEqual(answer?._tag, "authentication_error")
      assert.strictEqual(answer?.status, 401)
    }
    assert.deepStrictEqual(
      answers.map((answer) => answer?.message),
      [keyRefusals.unknown, keyRefusals.revoked_or_expired, keyRefusals.revoked_or_expired]
    )
    assert.isUndefined(codeOf({ expires_at: now + 1 }))
  })

  it("a missing scope names the required and the missing scopes A-AUTH-10", () => {
    const request = { ...plain, traits: { scopes: ["messages:read", "webhooks:read"] as const } }
    const refusal = findRefusal({ ...working, scopes: ["messages:read", "webhooks:write"] }, request)
    assert.strictEqual(refusal?.status, 403)
    assert.deepStrictEqual(refusal?.details, {
      required_scopes: ["messages:read", "webhooks:read"],
      missing_scopes: ["webhooks:read"]
    })
    assert.isUndefined(refusal?.param)
  })

  it("no scope implies another A-AUTH-09 A-AUTH-12", () => {
    for (const held of KeyScope.literals) {
      for (const required of KeyScope.literals) {
        const code = codeOf({ scopes: [held] }, { ...plain, traits: { scopes: [required] } })
        assert.strictEqual(code, held === required ? undefined : "insufficient_scope", `${held} for ${required}`)
      }
    }
  })

  it("a deleted project answers 404 with the key still active, after scope and suspension A-AUTH-13 A-AUTH-14 A-AUTH-15", () => {
    assert.strictEqual(codeOf({ project_deleted: true }), "project_not_found")
    assert.strictEqual(codeOf({ project_deleted: true, organization_suspended: true }), "organization_suspended")
    const scoped = { ...plain, traits: { scopes: ["projects:read"] as const } }
    assert.strictEqual(codeOf({ project_deleted: true }, scoped), "insufficient_scope")
  })

  it("a removed organization is reported by project create only A-PROJ-12", () => {
    const create = { ...plain, operation: createProjectOperation }
    assert.strictEqual(codeOf({ organization_removed: true, project_deleted: true }, create), "organization_not_found")
    assert.strictEqual(codeOf({ organization_removed: true }), "project_not_found")
    assert.strictEqual(codeOf({ project_deleted: true }, create), "project_not_found")
  })

  it("credit blocks only restricted production operations without a completed answer A-AUTH-16 A-AUTH-18 A-AUTH-19", () => {
    const restricted = { ...plain, traits: { scopes: [], restrictedWithoutCredit: true } }
    const refusal = findRefusal({ ...working, credit_blocked: true }, restricted)
    assert.strictEqual(refusal?._tag, "credit_balance_exhausted")
    assert.strictEqual(refusal?.status, 402)
    assert.strictEqual(refusal?.retryable, false)
    assert.isUndefined(codeOf({ credit_blocked: true }))
    assert.isUndefined(codeOf({ credit_blocked: true, environment: "sandbox" }, restricted))
    assert.isUndefined(codeOf({ credit_blocked: true }, { ...restricted, completed: true }))
    assert.isUndefined(codeOf({ credit_blocked: false }, restricted))
  })

  it("a recovered credit lifts no other refusal A-AUTH-17", () => {
    fc.assert(
      fc.property(facts, requests, (known, request) => {
        const blocked = findRefusal({ ...known, credit_blocked: true }, request)?._tag
        const recovered = findRefusal({ ...known, credit_blocked: false }, request)?._tag
        assert.strictEqual(recovered, blocked === "credit_balance_exhausted" ? undefined : blocked)
      })
    )
  })
})
