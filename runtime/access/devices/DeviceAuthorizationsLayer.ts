import { ApiKeyLimitReached, AuthorizationDenied, InvalidDeviceCode } from "@carteiro/schema/access/AccessErrors.ts"
import { type ApiError, isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Effect, Layer } from "effect"
import { Commit } from "../../platform/commit/Commit.ts"
import type { Row } from "../../platform/commit/Write.ts"
import { type Reply, reply } from "../../platform/http/contract/Reply.ts"
import { PublicUrl } from "../../platform/http/listener/PublicUrl.ts"
import { Ids } from "../../platform/ids/Ids.ts"
import { ActiveSenders } from "../../platform/tenancy/ActiveSenders.ts"
import { readScopes } from "../keys/ApiKeyRead.ts"
import { ApiKeyRepo } from "../keys/ApiKeyRepo.ts"
import { isProjectId, targetRefusal } from "../keys/ApiKeyRules.ts"
import { mayDecide } from "../members/MemberRules.ts"
import { type Decider, DeviceAuthorizations, type DeviceCall } from "./DeviceAuthorizations.ts"
import {
  deviceCodeBytes,
  isDeviceCode,
  isDeviceId,
  makeDeviceCode,
  makeUserCode,
  readUserCode,
  showUserCode,
  userCodeBytes,
  verificationAddresses
} from "./DeviceCodes.ts"
import {
  approvalHolds,
  type DeviceRequest,
  deviceLifetime,
  granted,
  planDevice,
  poll,
  pollInterval
} from "./DeviceFlow.ts"
import { DeviceRepo, type DeviceRow } from "./DeviceRepo.ts"
import { decideDevice, insertDevice, lapseDevice, pollDevice, redeemDevice } from "./DeviceWrites.ts"
import { preflight } from "./Preflight.ts"

/** How often a poll looks again because another one came between: more at once are a flood, and too fast anyhow. */
const looks = 10

/** A user code is one of 25 thousand million; a second draw is rare and a fifth never seen. */
const draws = 5

export const DeviceAuthorizationsLayer = Layer.effect(
  DeviceAuthorizations,
  Effect.gen(function* () {
    const repo = yield* DeviceRepo
    const keys = yield* ApiKeyRepo
    const commit = yield* Commit
    const ids = yield* Ids
    const publicUrl = yield* PublicUrl
    const activeSenders = yield* ActiveSenders
    // Nothing here carries an idempotency key, so nothing can lose a race for one.
    const write = (...rows: ReadonlyArray<Row>) => Effect.orDie(commit.write(rows))

    /** An approval that no longer holds is over for good, whatever comes back later. A-DEV-24 */
    const lapse = Effect.fnUntraced(function* (id: string) {
      yield* write(lapseDevice.row({ id }))
      return yield* new AuthorizationDenied()
    })

    /** Mints in the same commit that ends the request, so that of many polls one gets a key. A-DEV-17 */
    const redeem = Effect.fnUntraced(function* (call: DeviceCall, row: DeviceRow) {
      const { now } = call
      const facts = yield* repo.findApproval(row.id)
      const { organization_id, project_id, environment_id } = row
      if (organization_id === null || project_id === null || environment_id === null || facts === undefined) {
        return yield* Effect.die(new Error(`approval of ${row.id} names no environment`))
      }
      if (!approvalHolds({ ...facts, approver_role: facts.approver_role ?? undefined })) return yield* lapse(row.id)
      const scopes = readScopes(row.granted_scopes ?? "[]")
      const prepared = keys.mint(
        {
          organization_id,
          project_id,
          environment_id,
          environment: row.environment_kind,
          name: row.client_name,
          scopes,
          kind: "agent",
          expires_at: row.key_expires_at
        },
        now
      )
      const written = yield* write(prepared.row, redeemDevice.row({ id: row.id, api_key_id: prepared.key.id, at: now }))
      if (!written(redeemDevice.name).has(row.id)) return yield* notRedeemed(row.id)
      return reply(call, 200, {
        object: "agent_api_key_device_authorization_token",
        api_key: prepared.key,
        preflight: preflight({
          organization_active: facts.organization_active,
          project_active: facts.project_active,
          environment: row.environment_kind,
          asked: readScopes(row.scopes),
          granted: scopes,
          credit_blocked: facts.credit_blocked,
          active_senders: yield* activeSenders(environment_id),
          webhook_endpoints: facts.webhook_endpoints
        })
      })
    })

    /** Another poll took it, the project was archived at this very moment, or the environment is full of keys. */
    const notRedeemed = Effect.fnUntraced(function* (id: string) {
      const now = yield* repo.find(id)
      if (now === undefined || now.status !== "approved") {
        return yield* new InvalidDeviceCode({ param: "device_code" })
      }
      const facts = yield* repo.findApproval(id)
      if (facts?.project_active === true) return yield* new ApiKeyLimitReached()
      return yield* lapse(id)
    })

    const decide = Effect.fnUntraced(function* (
      id: string,
      by: Decider,
      now: number,
      decision: {
        readonly status: "approved" | "denied"
        readonly project_id: string | null
        readonly environment_id: string | null
        readonly granted_scopes: string | null
      }
    ) {
      const row = decideDevice.row({
        id,
        at: now,
        member_id: by.member_id,
        organization_id: by.organization_id,
        ...decision
      })
      const written = yield* write(row)
      return written(decideDevice.name).has(id) ? "done" : "gone"
    })

    return DeviceAuthorizations.of({
      create: Effect.fnUntraced(function* (call, body) {
        const plan = planDevice(body, call.now)
        if (isApiError(plan)) return yield* plan
        const id = ids.mint("dva", call.now)
        const device_code = makeDeviceCode(ids.bytes(deviceCodeBytes))
        for (let draw = 0; draw < draws; draw++) {
          const user_code = makeUserCode(ids.bytes(userCodeBytes))
          const written = yield* write(
            insertDevice.row({
              id,
              device_code_hash: repo.hash(device_code),
              user_code,
              client_name: plan.client_name,
              environment_kind: plan.environment,
              scopes: JSON.stringify(plan.scopes),
              key_expires_at: plan.key_expires_at,
              source_ip: call.ip,
              interval_seconds: pollInterval.first,
              created_at: call.now,
              expires_at: call.now + deviceLifetime
            })
          )
          if (!written(insertDevice.name).has(id)) continue
          return reply(call, 201, {
            id,
            object: "agent_api_key_device_authorization",
            device_code,
            user_code: showUserCode(user_code),
            ...verificationAddresses(`${publicUrl()}/dashboard`, user_code),
            expires_in: deviceLifetime / 1000,
            interval: pollInterval.first
          })
        }
        return yield* new ServiceUnavailable({ retry_after_ms: 1000 })
      }),
      poll: Effect.fnUntraced(function* (call, deviceCode): Effect.fn.Return<Reply, ApiError> {
        for (let look = 1; ; look++) {
          const row = isDeviceCode(deviceCode) ? yield* repo.findByDeviceCode(deviceCode) : undefined
          const verdict = poll(row === undefined ? undefined : requestOf(row), call.now)
          if (verdict.kind === "refuse" || row === undefined) {
            return yield* verdict.kind === "refuse" ? verdict.error : new InvalidDeviceCode({ param: "device_code" })
          }
          if (verdict.kind === "redeem") return yield* redeem(call, row)
          const { interval_seconds } = verdict
          const seen = {
            seen_interval: row.interval_seconds,
            seen_at: row.last_polled_at
          }
          const written = yield* write(pollDevice.row({ id: row.id, interval_seconds, at: call.now, ...seen }))
          if (!written(pollDevice.name).has(row.id) && look < looks) continue
          if (verdict.kind === "tooFast") return yield* verdict.error
          return reply(call, 202, {
            object: "agent_api_key_device_authorization_status",
            status: "pending",
            interval: interval_seconds,
            expires_in: verdict.expires_in
          })
        }
      }),
      findOpen: (typed, now) => {
        const code = readUserCode(typed)
        return code === undefined
          ? Effect.undefined
          : Effect.map(repo.findOpen(code, now), (row) =>
              row === undefined
                ? undefined
                : {
                    id: row.id,
                    user_code: showUserCode(row.user_code),
                    client_name: row.client_name,
                    environment: row.environment_kind,
                    scopes: readScopes(row.scopes),
                    key_expires_at: row.key_expires_at,
                    source_ip: row.source_ip,
                    created_at: row.created_at
                  }
            )
      },
      approve: Effect.fnUntraced(function* (id, by, choice, now) {
        if (!mayDecide(by.role)) return "forbidden"
        const row = isDeviceId(id) ? yield* repo.find(id) : undefined
        if (row === undefined) return "gone"
        if (!isProjectId(choice.project_id)) return "project_not_found"
        const target = yield* keys.findTarget(by.organization_id, choice.project_id, row.environment_kind)
        const minter = { ...choice, organization_id: by.organization_id, environment: row.environment_kind, scopes: [] }
        if (target === undefined || targetRefusal(target, minter) !== undefined) return "project_not_found"
        return yield* decide(id, by, now, {
          status: "approved",
          project_id: choice.project_id,
          environment_id: target.environment_id,
          granted_scopes: JSON.stringify(granted(readScopes(row.scopes), choice.scopes))
        })
      }),
      deny: (id, by, now) =>
        !mayDecide(by.role)
          ? Effect.succeed("forbidden")
          : !isDeviceId(id)
            ? Effect.succeed("gone")
            : decide(id, by, now, { status: "denied", project_id: null, environment_id: null, granted_scopes: null })
    })
  })
)

const requestOf = (row: DeviceRow): DeviceRequest => ({
  status: row.status,
  interval_seconds: row.interval_seconds,
  last_polled_at: row.last_polled_at,
  created_at: row.created_at,
  expires_at: row.expires_at
})
