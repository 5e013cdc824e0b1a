import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { PhoneNumber } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { Context, Effect, Layer } from "effect"
import { NumberDirectory } from "./NumberDirectory.ts"
import { NumberTraffic, RentalMonths } from "./NumberPorts.ts"
import { type NumberContext, type NumberRow, numberBody } from "./NumberRead.ts"
import type { RentalMonth } from "./RenewalState.ts"

/** The environment whose numbers are read. */
export interface NumberViewer {
  readonly organization_id: string
  readonly environment_id: string
  readonly environment: EnvironmentKind
}

/** The most messages that a read of one number shows. gaps-2 K "Inner phone shapes" */
const recentMessages = 10

/** Reads numbers for the API and the dashboard: row, allowance, rent and last messages. M-PHN-01..40 */
export class NumberReads extends Context.Service<
  NumberReads,
  {
    /** Returns rows as lists show them, without messages. `now` in epoch milliseconds. */
    entries(
      viewer: NumberViewer,
      rows: ReadonlyArray<NumberRow>,
      now: number
    ): Effect.Effect<ReadonlyArray<PhoneNumber>>
    /** Returns a row with its last messages. */
    whole(viewer: NumberViewer, row: NumberRow, now: number): Effect.Effect<PhoneNumber>
    /** Returns a number by its id. */
    find(viewer: NumberViewer, id: string, now: number): Effect.Effect<PhoneNumber | undefined>
  }
>()("@carteiro/runtime/phone-numbers/number/NumberReads") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* NumberDirectory
      const traffic = yield* NumberTraffic
      const months = yield* RentalMonths

      /** Reads the facts that rows show besides their columns, except messages. */
      const contexts = Effect.fnUntraced(function* (viewer: NumberViewer, rows: ReadonlyArray<NumberRow>, now: number) {
        const ids = rows.map(({ id }) => id)
        const recipients = yield* traffic.recipients(viewer.environment_id, ids, now)
        const portfolios = new Set(rows.flatMap(({ portfolio_id }) => (portfolio_id === null ? [] : [portfolio_id])))
        const shared = yield* traffic.ofPortfolios([...portfolios], now)
        const rented = rows.filter(({ environment, source }) => environment === "production" && source === "numprov")
        const charged =
          rented.length === 0
            ? undefined
            : yield* months(
                viewer.organization_id,
                rented.map(({ id }) => id),
                now
              )
        return (row: NumberRow): NumberContext => {
          const used = recipients.get(row.id) ?? 0
          return {
            allowance: {
              current_24h_unique_recipients: used,
              remaining_messaging_allowance_estimate: traffic.remaining(
                row,
                used,
                row.portfolio_id === null ? undefined : (shared.get(row.portfolio_id) ?? 0)
              )
            },
            month: charged?.get(row.id) ?? uncharged,
            recent: []
          }
        }
      })

      const whole = Effect.fnUntraced(function* (viewer: NumberViewer, row: NumberRow, now: number) {
        const contextOf = yield* contexts(viewer, [row], now)
        const recent = yield* traffic.recent(row.environment_id, row.id, recentMessages)
        return numberBody(row, { ...contextOf(row), recent }, now)
      })

      return NumberReads.of({
        whole,
        entries: (viewer, rows, now) =>
          Effect.map(contexts(viewer, rows, now), (contextOf) =>
            rows.map((row) => numberBody(row, contextOf(row), now))
          ),
        find: (viewer, id, now) =>
          Effect.flatMap(repo.read(viewer.environment_id, id), (row) =>
            row === undefined ? Effect.succeed(undefined) : whole(viewer, row, now)
          )
      })
    })
  )
}

const uncharged: RentalMonth = { charged: null, unpaid: false, paidPlan: false }
