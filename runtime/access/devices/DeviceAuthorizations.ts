import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import { type OperationReply, type Reply, reply } from "@carteiro/http-edge/Reply.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { ApiKeyLimitReached, AuthorizationDenied, InvalidDeviceCode } from "@carteiro/schema/access/AccessErrors.ts"
import type { CreateDeviceAuthorization } from "@carteiro/schema/access/DeviceAuthorization.ts"
import { type ApiError, isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { jsonText, readJson, readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { ActiveSenders } from "../../tenancy/ActiveSenders.ts"
import { ApiKeyRepo } from "../keys/ApiKeyRepo.ts"
import {
  deviceCodeBytes,
  isDeviceCode,
  makeDeviceCode,
  makeUserCode,
  showUserCode,
  userCodeBytes,
  verificationAddresses
} from "./DeviceCodes.ts"
import {
  approvalHolds,
  type DevicePlan,
  type DeviceRequest,
  deviceLifetime,
  planDevice,
  poll,
  pollInterval
} from "./DeviceFlow.ts"
import { DeviceRepo, type DeviceRow } from "./DeviceRepo.ts"
import { insertDevice, lapseDevice, pollDevice, redeemDevice } from "./DeviceWrites.ts"
import { preflight } from "./Preflight.ts"

/** A call without a key. */
export interface DeviceCall {
  readonly ip: string
  readonly now: number
  readonly traceId: string
}

/** The most reads of a poll while concurrent polls intervene: more concurrent polls are too fast anyway. */
const looks = 10

/** The most draws of a user code: there are 25 thousand million codes, so a second draw is rare. */
const draws = 5

/**
 * Device authorizations: a client requests a key, a person approves, and one poll takes the key. A-DEV-01..24, gaps-1 E
 */
export class DeviceAuthorizations extends Context.Service<
  DeviceAuthorizations,
  {
    create(call: DeviceCall, body: CreateDeviceAuthorization): OperationReply
    /** Answers 202 while the request is pending, 200 with the key once, and afterwards the final refusal. */
    poll(call: DeviceCall, deviceCode: string): OperationReply
  }
>()("@carteiro/runtime/access/devices/DeviceAuthorizations") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* DeviceRepo
      const keys = yield* ApiKeyRepo
      const commit = yield* Commit
      const ids = yield* Ids
      const publicUrl = yield* PublicUrl
      const activeSenders = yield* ActiveSenders
      // No call here carries an idempotency key, so none can lose a race for one.
      const write = (...rows: ReadonlyArray<Row>) => Effect.orDie(commit.write(rows))

      /** Ends an approval that no longer holds, for good. A-DEV-24 */
      const lapse = Effect.fnUntraced(function* (id: string) {
        yield* write(lapseDevice.row({ id }))
        return yield* new AuthorizationDenied()
      })

      /** Mints the key in the commit that ends the request, so that only one of several polls gets it. A-DEV-17 */
      const redeem = Effect.fnUntraced(function* (call: DeviceCall, row: DeviceRow) {
        const { now } = call
        const facts = yield* repo.findApproval(row.id)
        const { organization_id, project_id, environment_id } = row
        if (organization_id === null || project_id === null || environment_id === null || facts === undefined) {
          return yield* Effect.die(new Error(`approval of ${row.id} names no environment`))
        }
        if (!approvalHolds({ ...facts, approver_role: facts.approver_role ?? undefined })) return yield* lapse(row.id)
        const scopes = readJsonOrNull(row.granted_scopes) ?? []
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
        const written = yield* write(
          prepared.row,
          redeemDevice.row({ id: row.id, api_key_id: prepared.key.id, redeemed_at: now })
        )
        if (!written(redeemDevice.name).has(row.id)) return yield* notRedeemed(row.id)
        const asked = { asked: readJson(row.scopes), granted: scopes, environment: row.environment_kind }
        return reply(call, 200, {
          object: "agent_api_key_device_authorization_token",
          api_key: prepared.key,
          preflight: preflight({ ...facts, ...asked, active_senders: yield* activeSenders(environment_id) })
        })
      })

      /**
       * Returns the refusal: another poll took the key, the project was archived meanwhile, or the environment has no
       * room for a key.
       */
      const notRedeemed = Effect.fnUntraced(function* (id: string) {
        const now = yield* repo.find(id)
        if (now === undefined || now.status !== "approved") {
          return yield* new InvalidDeviceCode({ param: "device_code" })
        }
        const facts = yield* repo.findApproval(id)
        if (facts?.project_active === true) return yield* new ApiKeyLimitReached()
        return yield* lapse(id)
      })

      return DeviceAuthorizations.of({
        create: Effect.fnUntraced(function* (call, body) {
          const plan = planDevice(body, call.now)
          if (isApiError(plan)) return yield* plan
          const id = ids.mint("dva", call.now)
          const device_code = makeDeviceCode(ids.bytes(deviceCodeBytes))
          for (let draw = 0; draw < draws; draw++) {
            const user_code = makeUserCode(ids.bytes(userCodeBytes))
            const codes = { id, user_code, device_code_hash: repo.hash(device_code) }
            const written = yield* write(deviceRow(codes, plan, call))
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
            const written = yield* write(
              pollDevice.row({ id: row.id, interval_seconds, last_polled_at: call.now, ...seen })
            )
            if (!written(pollDevice.name).has(row.id) && look < looks) continue
            if (verdict.kind === "tooFast") return yield* verdict.error
            return reply(call, 202, {
              object: "agent_api_key_device_authorization_status",
              status: "pending",
              interval: interval_seconds,
              expires_in: verdict.expires_in
            })
          }
        })
      })
    })
  )
}

/** Returns the row of a new request; it waits for a person. */
const deviceRow = (
  codes: { readonly id: string; readonly user_code: string; readonly device_code_hash: Uint8Array },
  plan: DevicePlan,
  { ip, now }: DeviceCall
): Row =>
  insertDevice.row({
    ...codes,
    client_name: plan.client_name,
    environment_kind: plan.environment,
    scopes: jsonText(plan.scopes),
    key_expires_at: plan.key_expires_at,
    source_ip: ip,
    interval_seconds: pollInterval.first,
    created_at: now,
    expires_at: now + deviceLifetime
  })

const requestOf = (row: DeviceRow): DeviceRequest => ({
  status: row.status,
  interval_seconds: row.interval_seconds,
  last_polled_at: row.last_polled_at,
  created_at: row.created_at,
  expires_at: row.expires_at
})
