import {
  deviceCodeBytes,
  isDeviceCode,
  makeDeviceCode,
  makeUserCode,
  readUserCode,
  showUserCode,
  userCodeBytes,
  verificationAddresses
} from "@carteiro/runtime/access/devices/DeviceCodes.ts"
import { type PreflightFacts, preflight } from "@carteiro/runtime/access/devices/Preflight.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { bytes, scopes } from "./Arbitraries.ts"

describe("DeviceCodes", () => {
  it("device codes have the documented form A-DEV-07", () => {
    fc.assert(
      fc.property(bytes(deviceCodeBytes), (random) => {
        assert.match(makeDeviceCode(random), /^dvc_[A-Za-z0-9_-]{43}$/)
        assert.isTrue(isDeviceCode(makeDeviceCode(random)))
      })
    )
    for (const text of ["", "dvc_", "dvc_abc", `dvc_${"a".repeat(44)}`]) assert.isFalse(isDeviceCode(text))
  })

  it("user codes are accepted without regard to case and hyphen A-DEV-08", () => {
    fc.assert(
      fc.property(bytes(userCodeBytes), (random) => {
        const code = makeUserCode(random)
        assert.match(showUserCode(code), /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
        for (const typed of [code, showUserCode(code), showUserCode(code).toLowerCase(), ` ${code} `]) {
          assert.strictEqual(readUserCode(typed), code)
        }
      })
    )
    for (const typed of ["", "BCDF-GHJ", "BCDF-GHJA", "BCDF-GHJK-L", "1234-5678"]) {
      assert.isUndefined(readUserCode(typed), typed)
    }
  })

  it("the complete address contains the shown user code A-DEV-09", () => {
    assert.deepStrictEqual(verificationAddresses("https://api.example.com/dashboard", "BCDFGHJK"), {
      verification_uri: "https://api.example.com/dashboard/device",
      verification_uri_complete: "https://api.example.com/dashboard/device?user_code=BCDF-GHJK"
    })
  })
})

describe("Preflight", () => {
  const ready: PreflightFacts = {
    organization_active: true,
    project_active: true,
    environment: "production",
    asked: ["messages:write"],
    granted: ["messages:write"],
    credit_blocked: false,
    active_senders: 1,
    webhook_endpoints: 1
  }
  const statusOf = (facts: Partial<PreflightFacts>, code: string) =>
    preflight({ ...ready, ...facts }).checks.find((check) => check.code === code)?.status

  it("checks run in their fixed order A-DEV-16", () => {
    assert.deepStrictEqual(
      preflight(ready).checks.map(({ code, status }) => [code, status]),
      [
        ["organization_active", "pass"],
        ["project_active", "pass"],
        ["scopes_granted", "pass"],
        ["credit_available", "pass"],
        ["sender_available", "pass"],
        ["webhook_endpoint_present", "pass"]
      ]
    )
  })

  it.each<[Partial<PreflightFacts>, string, string]>([
    [{ organization_active: false }, "organization_active", "fail"],
    [{ project_active: false }, "project_active", "fail"],
    [{ granted: [] }, "scopes_granted", "warn"],
    [{ credit_blocked: true }, "credit_available", "fail"],
    [{ credit_blocked: true, environment: "sandbox" }, "credit_available", "skipped"],
    [{ active_senders: 0 }, "sender_available", "fail"],
    [{ active_senders: 0, granted: ["messages:read"] }, "sender_available", "skipped"],
    [{ active_senders: undefined }, "sender_available", "skipped"],
    [{ webhook_endpoints: 0 }, "webhook_endpoint_present", "warn"],
    [{ webhook_endpoints: undefined }, "webhook_endpoint_present", "skipped"]
  ])("%j makes %s %s A-DEV-16", (facts, code, status) => {
    assert.strictEqual(statusOf(facts, code), status)
  })

  it("is ready exactly when no check fails A-DEV-16", () => {
    const facts = fc.record({
      organization_active: fc.boolean(),
      project_active: fc.boolean(),
      environment: fc.constantFrom("sandbox" as const, "production" as const),
      asked: scopes,
      granted: scopes,
      credit_blocked: fc.boolean(),
      active_senders: fc.option(fc.nat(2), { nil: undefined }),
      webhook_endpoints: fc.option(fc.nat(2), { nil: undefined })
    })
    fc.assert(
      fc.property(facts, (known) => {
        const { ready, checks } = preflight(known)
        assert.strictEqual(ready, !checks.some(({ status }) => status === "fail"))
      })
    )
  })
})
