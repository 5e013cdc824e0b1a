import {
  approvalHolds,
  type DeviceRequest,
  deviceLifetime,
  deviceRetention,
  granted,
  planDevice,
  poll,
  pollInterval
} from "@carteiro/runtime/access/devices/DeviceFlow.ts"
import { afterWrongCode, isLocked, type UserCodeLock } from "@carteiro/runtime/access/devices/UserCodeLock.ts"
import type { CreateDeviceAuthorization } from "@carteiro/schema/access/DeviceAuthorization.ts"
import { mayDecide } from "@carteiro/schema/access/Roles.ts"
import { isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { now, scopes } from "./Arbitraries.ts"

const fresh: DeviceRequest = {
  status: "pending",
  interval_seconds: pollInterval.first,
  last_polled_at: null,
  created_at: now,
  expires_at: now + deviceLifetime
}
const outcome = (change: Partial<DeviceRequest>, at: number) => {
  const result = poll({ ...fresh, ...change }, at)
  return result.kind === "refuse" || result.kind === "tooFast" ? result.error._tag : result.kind
}
const statuses = fc.constantFrom<DeviceRequest["status"]>("pending", "approved", "denied", "redeemed")

describe("DeviceFlow", () => {
  it("a fresh request waits with its interval and its remaining time A-DEV-15 A-DEV-10", () => {
    assert.deepStrictEqual(poll(fresh, now), { kind: "wait", interval_seconds: 5, expires_in: 900 })
    assert.deepStrictEqual(poll(fresh, now + 899_999), { kind: "wait", interval_seconds: 5, expires_in: 1 })
  })

  it("unknown, redeemed and forgotten codes are invalid A-DEV-17 A-DEV-21", () => {
    for (const request of [undefined, { ...fresh, status: "redeemed" as const }]) {
      const result = poll(request, now)
      assert.isTrue(result.kind === "refuse")
      assert.include(result.kind === "refuse" ? result.error : {}, {
        _tag: "invalid_device_code",
        status: 400,
        param: "device_code"
      })
    }
    fc.assert(
      fc.property(statuses, (status) => {
        assert.strictEqual(outcome({ status }, now + deviceRetention), "invalid_device_code")
      })
    )
  })

  it("expires exactly after 15 minutes, approved or not A-DEV-11 A-DEV-22", () => {
    for (const status of ["pending", "approved"] as const) {
      assert.notStrictEqual(outcome({ status }, now + 899_999), "device_code_expired")
      assert.strictEqual(outcome({ status }, now + 900_000), "device_code_expired")
    }
  })

  it("denial wins over expiry and over the interval A-DEV-23", () => {
    for (const at of [now, now + 1, now + deviceLifetime, now + deviceRetention - 1]) {
      assert.strictEqual(outcome({ status: "denied", last_polled_at: now }, at), "authorization_denied")
    }
  })

  it("an approval is redeemed by a poll in time A-DEV-16", () => {
    assert.strictEqual(outcome({ status: "approved" }, now + 60_000), "redeem")
  })

  it("terminal answers stay terminal at any later poll A-DEV-24", () => {
    fc.assert(
      fc.property(statuses, fc.nat(deviceRetention), fc.nat(deviceRetention), (status, at, later) => {
        const first = poll({ ...fresh, status }, now + at)
        fc.pre(first.kind === "refuse")
        const second = poll({ ...fresh, status, last_polled_at: now + at }, now + at + later)
        assert.strictEqual(second.kind, "refuse")
      })
    )
  })

  it("a poll half a second early is allowed, a millisecond earlier is not", () => {
    assert.strictEqual(outcome({ last_polled_at: now }, now + 4500), "wait")
    assert.strictEqual(outcome({ last_polled_at: now }, now + 4499), "slow_down")
    assert.strictEqual(outcome({ last_polled_at: now, status: "approved" }, now + 4499), "slow_down")
  })

  it("a poll too early raises the interval by 5 seconds up to 60 and says how long to wait", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), (polls) => {
        let request: DeviceRequest = { ...fresh, last_polled_at: now }
        for (let count = 1; count <= polls; count++) {
          const result = poll(request, now + count)
          assert.strictEqual(result.kind, "tooFast")
          if (result.kind !== "tooFast") return
          assert.strictEqual(result.interval_seconds, Math.min(5 + 5 * count, 60))
          assert.strictEqual(result.error.retry_after_ms, result.interval_seconds * 1000)
          assert.strictEqual(result.error.status, 429)
          request = { ...request, interval_seconds: result.interval_seconds, last_polled_at: now + count }
        }
      })
    )
  })

  it("a client that waits as told is never refused twice", () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 60 }), fc.integer({ min: 0, max: 4000 }), (interval_seconds, early) => {
        const request = { ...fresh, interval_seconds, last_polled_at: now }
        const first = poll(request, now + early)
        assert.strictEqual(first.kind, "tooFast")
        if (first.kind !== "tooFast") return
        const told = first.error.retry_after_ms ?? 0
        const next = { ...request, interval_seconds: first.interval_seconds, last_polled_at: now + early }
        assert.strictEqual(poll(next, now + early + told).kind, "wait")
      })
    )
  })

  it("an approval holds only while approver, organization and project do A-DEV-18", () => {
    const holding = { approver_role: "admin", organization_active: true, project_active: true }
    assert.isTrue(approvalHolds(holding))
    assert.isTrue(approvalHolds({ ...holding, approver_role: "owner" }))
    for (const change of [
      { approver_role: "member" },
      { approver_role: undefined },
      { organization_active: false },
      { project_active: false }
    ]) {
      assert.isFalse(approvalHolds({ ...holding, ...change }))
    }
    assert.isFalse(mayDecide("member"))
  })

  it("an approval never grants more than was requested A-DEV-19", () => {
    fc.assert(
      fc.property(scopes, scopes, (asked, ticked) => {
        const given = granted(asked, ticked)
        assert.isTrue(given.every((scope) => asked.includes(scope) && ticked.includes(scope)))
        assert.deepStrictEqual(granted(asked, asked), asked)
      })
    )
  })

  it("plans a request with a trimmed name, distinct scopes and a bounded expiry A-DEV-03 A-DEV-05 A-DEV-06", () => {
    const body: CreateDeviceAuthorization = {
      client_name: " Agent ",
      environment: "production",
      scopes: ["messages:read", "messages:read"]
    }
    assert.deepStrictEqual(planDevice(body, now), {
      client_name: "Agent",
      environment: "production",
      scopes: ["messages:read"],
      key_expires_at: null
    })
    const expires_at = formatTimestamp(now + 1)
    assert.include(planDevice({ ...body, expires_at }, now), { key_expires_at: now + 1 })
    const refusal = planDevice({ ...body, expires_at }, now + 1)
    assert.isTrue(isApiError(refusal))
    assert.include(refusal, { _tag: "invalid_device_authorization_request", param: "expires_at" })
  })
})

describe("UserCodeLock", () => {
  const open: UserCodeLock = { wrong_codes: 0, wrong_codes_since: null, locked_until: null }

  it("the tenth wrong code in 15 minutes locks the form for 15 minutes", () => {
    let lock = open
    for (let count = 1; count <= 9; count++) lock = afterWrongCode(lock, now + count)
    assert.isFalse(isLocked(lock, now + 9))
    lock = afterWrongCode(lock, now + 10)
    assert.isTrue(isLocked(lock, now + 10 + 899_999))
    assert.isFalse(isLocked(lock, now + 10 + 900_000))
  })

  it("wrong codes more than 15 minutes old do not count", () => {
    let lock = open
    for (let count = 0; count < 9; count++) lock = afterWrongCode(lock, now)
    assert.deepStrictEqual(afterWrongCode(lock, now + 900_000), {
      wrong_codes: 1,
      wrong_codes_since: now + 900_000,
      locked_until: null
    })
  })
})
