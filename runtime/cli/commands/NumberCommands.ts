import { parseId } from "@carteiro/owners/Ids.ts"
import { NumberSource, NumberStatus, type PhoneNumber } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { PhoneNumberNotFound } from "@carteiro/schema/phone-numbers/PhoneNumberErrors.ts"
import { Clock, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { CoverageReads } from "../../phone-months/Operator.ts"
import { NumberDirectory, NumberReads } from "../../phone-numbers/PhoneNumbers.ts"
import { facts, print, table } from "../kit/Output.ts"
import { environment, foundEnvironment, idArgument, limit, orUndefined } from "../kit/Parameters.ts"

const id = idArgument("number", "Id of the phone number", "pn_…")

/** Numbers are shown as their environment sees them. */
const viewerOf = Effect.fnUntraced(function* (environmentId: string) {
  const { id, kind, organization_id } = yield* foundEnvironment(environmentId)
  return { organization_id, environment_id: id, environment: kind }
})

const list = Command.make(
  "list",
  {
    environment,
    status: Flag.Literals("status", NumberStatus.literals).pipe(Flag.withDescription("Only these"), Flag.optional),
    source: Flag.Literals("source", NumberSource.literals).pipe(Flag.withDescription("Only these"), Flag.optional),
    limit
  },
  ({ environment, limit, source, status }) =>
    Effect.gen(function* () {
      const viewer = yield* viewerOf(environment)
      const now = yield* Clock.currentTimeMillis
      const wanted = { status: orUndefined(status), source: orUndefined(source) }
      const rows = yield* (yield* NumberDirectory).list(environment, wanted, undefined, limit)
      const data = yield* (yield* NumberReads).entries(viewer, rows, now)
      const shown = data.map((number) => [
        number.id,
        number.phone ?? "",
        number.source,
        number.status,
        number.quality_rating,
        left(number)
      ])
      yield* print({ data }, table(["id", "phone", "source", "status", "quality", "left"], shown, "no numbers"))
    })
).pipe(Command.withDescription("List numbers of an environment that are not released, newest first"))

const show = Command.make("show", { environment, id }, ({ environment, id }) =>
  Effect.gen(function* () {
    const viewer = yield* viewerOf(environment)
    const now = yield* Clock.currentTimeMillis
    const found = parseId("pn", id) ? yield* (yield* NumberReads).find(viewer, id, now) : undefined
    const number = found ?? (yield* new PhoneNumberNotFound())
    const { recent_messages, ...rest } = number
    const rows = recent_messages.map(({ created_at, direction, id, status, type }) => [
      id,
      direction,
      type,
      status,
      created_at
    ])
    const plain = Object.fromEntries(
      Object.entries(rest).flatMap(([name, value]) =>
        typeof value === "string" || typeof value === "number" ? [[name, value] as const] : []
      )
    )
    yield* print(
      number,
      [facts(plain), table(["message", "direction", "type", "status", "created_at"], rows, "no messages")].join("\n\n")
    )
  })
).pipe(Command.withDescription("Show one number with its health and its last messages"))

const months = Command.make("months", { environment }, ({ environment }) =>
  Effect.gen(function* () {
    const viewer = yield* viewerOf(environment)
    const now = yield* Clock.currentTimeMillis
    const rented = yield* (yield* NumberDirectory).list(environment, { source: "numprov" }, undefined, 1000)
    const renewals = (yield* (yield* NumberReads).entries(viewer, rented, now)).flatMap(({ id, phone, renewal }) =>
      renewal === null ? [] : [{ id, phone, renewal }]
    )
    const { rows, summary } = yield* (yield* CoverageReads).all(viewer, now)
    const data = rows.map(({ body }) => body)
    const rents = renewals.map(({ id, phone, renewal }) => [
      id,
      phone ?? "",
      renewal.state,
      renewal.amount_brl ?? "",
      renewal.next_renewal_at ?? "",
      renewal.release_cutoff_at ?? ""
    ])
    const coverages = data.map((item) => [
      item.id,
      item.phone ?? "",
      item.coverage,
      item.service_state,
      item.current_month_payment_status,
      item.next_charge_at ?? "",
      item.disable_at ?? ""
    ])
    yield* print(
      { renewals, data, summary },
      [
        table(
          ["rented", "phone", "state", "charged", "next charge", "released unless paid by"],
          rents,
          "no rented numbers"
        ),
        table(
          ["imported", "phone", "coverage", "service", "this month", "next charge", "disabled unless paid by"],
          coverages,
          "no imported numbers"
        )
      ].join("\n\n")
    )
  })
).pipe(Command.withDescription("Show what numbers of an environment cost this month and next, and what is unpaid"))

const left = ({ remaining_messaging_allowance_estimate: remaining }: PhoneNumber): string =>
  remaining === null ? "" : String(remaining)

/** Numbers of one environment. M-PHN-42, M-PHN-43 */
export const numbers = Command.make("numbers").pipe(Command.withSubcommands([list, show, months]))
