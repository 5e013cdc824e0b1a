import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { defineWorker, passing } from "@carteiro/owners/Worker.ts"
import { UpstreamCredentials } from "@carteiro/provider/ChatCredentials.ts"
import { type ChatPlatform, UpstreamPlatform } from "@carteiro/provider/ChatPlatform.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect, Random, type Redacted } from "effect"
import { pacingChanges } from "../../messages/Messages.ts"
import { numberChanges } from "../../phone-numbers/PhoneNumbers.ts"
import { lookAtAccounts, unobserved } from "./AccountLook.ts"
import {
  ConnectionHealthRepo,
  recordHealth,
  type WatchedConnection,
  type WatchedNumber
} from "./ConnectionHealthRepo.ts"
import { nextLookAt, retryLookAt } from "./HealthSchedule.ts"
import { registerNumber, wantsRegistration } from "./RegistrationLook.ts"
import { lookAtSubscription } from "./SubscriptionLook.ts"

/**
 * The owner of the health of one connection to the platform (`pcn_…`): its numbers, and what its accounts may send.
 * gaps-2 K "Health sweep"
 */
export const ConnectionHealthWorker = defineWorker("ConnectionHealth")

/** The most concurrent calls to the platform for one connection. */
const atOnce = 4

export const connectionHealthOwners = ConnectionHealthWorker.toLayer(
  Effect.gen(function* () {
    const repo = yield* ConnectionHealthRepo
    const platform = yield* UpstreamPlatform
    const credentials = yield* UpstreamCredentials
    const secrets = yield* Secrets

    /** True when the platform accepts a token; undefined when its answer does not tell. */
    const isTaken = (token: Redacted.Redacted) =>
      credentials === undefined
        ? Effect.succeed(undefined)
        : Effect.map(credentials.inspect(token), (call) => (call._tag === "Done" ? call.value.is_valid : undefined))

    /** Returns the rows of every number that the platform reported; other numbers stay unchanged. M-PHN-13 */
    const numberRows = Effect.fnUntraced(function* (
      connection: WatchedConnection,
      token: Redacted.Redacted,
      portfolio_id: string | null,
      now: number
    ) {
      const { biz_account_id, environment_id } = connection
      const numbers = biz_account_id === null ? [] : yield* repo.numbers(environment_id, biz_account_id)
      const read = yield* Effect.forEach(
        platform === undefined ? [] : numbers,
        (number) =>
          platform === undefined
            ? Effect.succeed({ rows: [], registration: [], limit: null })
            : lookAtNumber({ platform, secrets }, { ...connection, portfolio_id }, number, token, now),
        { concurrency: atOnce }
      )
      return {
        asked: numbers.length,
        rows: read.flatMap(({ rows }) => rows),
        registrations: read.flatMap(({ registration }) => registration),
        // The last answer is the newest one.
        limit: read.findLast(({ limit }) => limit !== null)?.limit ?? null,
        told: read.filter(({ rows }) => rows.length > 0).length
      }
    })

    const look = Effect.fnUntraced(function* (connection: WatchedConnection, now: number) {
      const { attempts, biz_account_id, environment_id, id, revision, token } = connection
      if (token === undefined || platform === undefined) return { ...unchanged, next: undefined }
      const isGood = yield* isTaken(token)
      // A platform that refuses the token reports no numbers and accounts.
      const { capabilities, portfolio_id, review } =
        isGood === false || credentials === undefined
          ? unobserved
          : yield* lookAtAccounts(credentials, connection, token, now)
      const numbers = isGood === false ? nothingTold : yield* numberRows(connection, token, portfolio_id, now)
      const subscription =
        isGood === false || biz_account_id === null || credentials === undefined
          ? null
          : yield* lookAtSubscription(credentials, { biz_account_id, token })
      const isMissed = isGood === false || (numbers.asked > 0 && numbers.told === 0)
      const next = isMissed ? retryLookAt(now, attempts) : nextLookAt(now, yield* Random.next)
      const row = recordHealth.row({
        environment_id,
        id,
        revision,
        subscription,
        looked_at: now,
        token_known: isGood !== undefined,
        token_refused_at: isGood === false ? (connection.token_refused_at ?? now) : null,
        biz_account_send_capabilities: capabilities,
        account_review_status: review.get(biz_account_id ?? "") ?? null,
        health_due_at: next,
        health_attempts: isMissed ? attempts + 1 : 0
      })
      const portfolio =
        portfolio_id === null || numbers.told === 0
          ? []
          : [numberChanges.reportPortfolio({ portfolio_id, messaging_limit_tier: numbers.limit, updated_at: now })]
      return { rows: [...numbers.rows, row], registrations: numbers.registrations, portfolio, next }
    })

    return passing(
      Effect.fnUntraced(function* (owner: OwnerHandle) {
        const connection = yield* repo.find(owner.id)
        if (connection === undefined) return undefined
        if (connection.due_at > owner.now()) return connection.due_at
        const { next, portfolio, registrations, rows } = yield* look(connection, owner.now())
        // A registration and the health of one number are two changes of its row.
        if (rows.length > 0) yield* owner.commit([{ rows }, ...registrations.map((row) => ({ rows: [row] }))])
        // The limit of a portfolio changes rows of its numbers, which belong to it from that commit on.
        if (portfolio.length > 0) yield* owner.commit([{ rows: portfolio }])
        return next
      })
    )
  })
)

const unchanged = { rows: [], registrations: [], portfolio: [] }
const nothingTold = { asked: 0, rows: [], registrations: [], limit: null, told: 0 }

/**
 * Returns the rows of one number's health, and of its registration where it lacks one; besides them the limit that the
 * platform told of its portfolio.
 */
const lookAtNumber = Effect.fnUntraced(function* (
  { platform, secrets }: { readonly platform: ChatPlatform; readonly secrets: Secrets["Service"] },
  { biz_account_id, environment_id, portfolio_id }: WatchedConnection & { readonly portfolio_id: string | null },
  number: WatchedNumber,
  token: Redacted.Redacted,
  now: number
) {
  const { id, upstream_phone_number_id } = number
  const call = yield* platform.health({ upstream_phone_number_id, token }).read
  const rows = numberRow(environment_id, id, portfolio_id, call, now)
  const limit = call._tag === "Done" && call.value.is_portfolio_limit ? call.value.messaging_limit_tier : null
  if (call._tag !== "Done" || biz_account_id === null || !wantsRegistration(number, call.value, now)) {
    return { rows, limit, registration: [] }
  }
  const place = { environment_id, account: { biz_account_id, token } }
  return { rows, limit, registration: yield* registerNumber(platform, secrets, place, number, now) }
})

type HealthCall = Effect.Success<ReturnType<NonNullable<(typeof UpstreamPlatform)["Service"]>["health"]>["read"]>

/**
 * Returns one update of all health of a number, and the wake-up of its owner, because a changed allowance may release
 * held messages.
 */
const numberRow = (
  environment_id: string,
  id: string,
  portfolio_id: string | null,
  call: HealthCall,
  now: number
): ReadonlyArray<Row> => {
  if (call._tag !== "Done") return []
  const { messaging_limit_tier, pending_name, quality_rating, upstream_quality_rating } = call.value
  return [
    numberChanges.reportHealth({
      environment_id,
      id,
      portfolio_id,
      messaging_limit_tier,
      quality_rating,
      upstream_quality_rating,
      upstream_throughput_tier: call.value.upstream_throughput_tier,
      verified_name: call.value.verified_name,
      messaging_tier: messaging_limit_tier?.toLowerCase() ?? null,
      pending_name,
      upstream_health_synced_at: now
    }),
    pacingChanges.hasten({ environment_id, business_id: id, due_at: now })
  ]
}
