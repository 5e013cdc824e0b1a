import type { EnvironmentKind, RateClass } from "@carteiro/schema/conventions/Access.ts"
import { hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import type { WindowLimit } from "./RollingWindow.ts"
import type { Rate } from "./TokenBucket.ts"

/** The buckets from which one class of requests draws, by holder; an absent bucket sets no limit. */
export interface RateRow {
  readonly key?: Rate
  readonly organization?: Rate
  readonly environment?: Rate
  /** Held by each edge, so the limit is per source IP and node. */
  readonly ip?: Rate
  /** Held by the owner of one sending number. */
  readonly number?: Rate
  readonly endpoint?: WindowLimit
  /** Held by each edge: all that a member does in the console. */
  readonly member?: Rate
}

/** The rows of the table: a class, with the kind of environment when the numbers depend on it. */
export type RateName =
  | `${"read" | "write" | "feedback_write" | "phone_number"}.${EnvironmentKind}`
  | Exclude<RateClass, "read" | "write" | "feedback_write">
  | "failed_authentication"
  | "person"

/** Every limit of the product in one place. */
export type RateTable = { readonly [name in RateName]: RateRow }

/** The time spans in which rates are written, in milliseconds. */
export const spans = { second: 1000, minute: 60_000, hour: hourMs } as const
export type Span = keyof typeof spans

/** Returns "Burst B, sustained N per T" as a bucket's rate. */
export const rateOf = (burst: number, sustained: number, per: Span): Rate => ({
  burst,
  perMillis: sustained / spans[per]
})

/** The numbers of the contract. gaps-1 M "Numbers", gaps-1 C "Failed authentication throttling", gaps-2 J, M-LIM-02 */
export const standardRates: RateTable = {
  "read.production": { key: rateOf(200, 100, "second"), organization: rateOf(600, 300, "second") },
  "read.sandbox": { key: rateOf(50, 25, "second"), organization: rateOf(150, 75, "second") },
  "write.production": { key: rateOf(100, 50, "second"), organization: rateOf(300, 150, "second") },
  "write.sandbox": { key: rateOf(25, 10, "second"), organization: rateOf(75, 30, "second") },
  key_write: { key: rateOf(10, 30, "minute"), organization: rateOf(20, 60, "minute") },
  project_create: { key: rateOf(5, 10, "hour"), organization: rateOf(10, 20, "hour") },
  endpoint_write: { key: rateOf(20, 60, "minute"), organization: rateOf(60, 180, "minute") },
  endpoint_test: { endpoint: { limit: 5, windowMillis: spans.minute } },
  resend: { key: rateOf(20, 60, "minute"), organization: rateOf(60, 180, "minute") },
  bulk_resend: { key: rateOf(3, 6, "minute"), organization: rateOf(6, 12, "minute") },
  listen: { key: rateOf(20, 120, "minute"), organization: rateOf(60, 360, "minute") },
  listen_session_create: { environment: rateOf(5, 10, "minute") },
  "feedback_write.production": { key: rateOf(5, 30, "hour"), organization: rateOf(20, 100, "hour") },
  "feedback_write.sandbox": { key: rateOf(2, 10, "hour"), organization: rateOf(5, 30, "hour") },
  device_create: { ip: rateOf(5, 20, "hour") },
  device_token: { ip: rateOf(60, 60, "minute") },
  inbound_simulation: { environment: rateOf(20, 60, "minute") },
  opt_out: { ip: rateOf(60, 10, "second") },
  // Provisioning and orders, in both environments of all projects.
  phone_provision: { organization: rateOf(5, 10, "hour") },
  // A capability URL has no key, so its limit depends on the caller's address.
  media_blob: { ip: rateOf(300, 60, "second") },
  // Launch links and forms of a session have no key either.
  handoff: { ip: rateOf(60, 60, "minute") },
  failed_authentication: { ip: rateOf(30, 60, "minute") },
  // A person clicks and a page reads several things; live pages look by themselves.
  person: { member: rateOf(300, 60, "second") },
  // The messages that a number may accept; in production the most that any plan and tier allow together (gaps-2 D).
  "phone_number.production": { number: rateOf(800, 80, "second") },
  "phone_number.sandbox": { number: rateOf(100, 10, "second") }
}

/** Returns the row's name; a class without a name for each kind shares one row and its buckets. */
export const rateName = (rateClass: RateClass | "failed_authentication", kind: EnvironmentKind): RateName => {
  switch (rateClass) {
    case "read":
    case "write":
    case "feedback_write":
      return `${rateClass}.${kind}`
    default:
      return rateClass
  }
}

/** Returns the row from which a request of this class draws in this kind of environment. */
export const rateRow = (
  table: RateTable,
  rateClass: RateClass | "failed_authentication",
  kind: EnvironmentKind
): RateRow => table[rateName(rateClass, kind)]
