import { Commit } from "@carteiro/owners/Commit.ts"
import * as Messages from "@carteiro/runtime/messages/Messages.ts"
import { allowanceOf } from "@carteiro/runtime/messages/pacing/Allowance.ts"
import { room as messagesRoom } from "@carteiro/runtime/messages/room.ts"
import { Clock, Effect, Exit } from "effect"
import { assert } from "vitest"
import { accept } from "../messages/Sending.ts"
import { prepare, welcome } from "../messages/Templates.ts"
import { seedSender } from "../support/Numbers.ts"
import { listenTo, type OwnersRun } from "./OwnersRun.ts"
import { type PacingBook, type Terms, termsAtFirst } from "./PacingBook.ts"
import { type Disturbance, disturb, look, type Passing, pass } from "./Passing.ts"
import type { SimulationContext } from "./Playing.ts"
import { codeOf, passing } from "./SendBook.ts"
import { day, second } from "./World.ts"

/** What is done to a number that paces. */
export type PacingAction =
  | { readonly kind: "send"; readonly to: "new" | number; readonly count: number; readonly waits: boolean }
  | { readonly kind: "hear"; readonly nth: number }
  | { readonly kind: "cancel"; readonly nth: number }
  | { readonly kind: "terms"; readonly terms: Terms }
  | { readonly kind: "provider"; readonly mode: "accepts" | "rejects" }
  | { readonly kind: "pass"; readonly millis: number }
  | Exclude<Disturbance, { readonly kind: "loses" }>

/** Recipients of a world. */
export const recipients = 120

/** After an instant at which slots end, so much is lived through: others end beside it, and what was released leaves. */
const livedMs = 10 * second
/** Days after which nothing may wait any more: the recipients of a world fill no allowance for longer. */
const daysAtMost = 12

const keyOf = (n: number): string => `5511900${String(n % recipients).padStart(6, "0")}`

type Run = Passing & Pick<OwnersRun, "number"> & { readonly book: PacingBook; reached: number }

/** Two bursts of its rate fill the allowance of a number. */
const filling: ReadonlyArray<PacingAction> = [
  { kind: "send", to: "new", count: 12, waits: true },
  { kind: "pass", millis: 5 * second },
  { kind: "send", to: "new", count: 12, waits: true }
]

/** Plays a schedule on a number of production, to the end of everything that waits. */
export const playPacing = Effect.fnUntraced(function* (
  context: SimulationContext,
  book: PacingBook,
  actions: ReadonlyArray<PacingAction>
) {
  const { nodes, outside, sql } = context
  const number = yield* nodes.on(seedSender("production"))
  yield* nodes.on(prepare(number, termsAtFirst.tier, termsAtFirst.quality))
  const run: Run = { ...context, due: messagesRoom.due, livedMs, number, book, reached: 0 }
  for (const action of [...filling, ...actions]) {
    yield* act(run, action)
    yield* look(run, second)
  }
  outside.recover()
  yield* nodes.endFormer
  for (let days = 0; (yield* waiting(run)) > 0; days++) {
    assert.isBelow(days, daysAtMost, "messages that wait for ever")
    yield* passTime(run, day)
  }
  return yield* book.finished(sql, outside.sent)
}, Effect.orDie)

const act = (run: Run, action: PacingAction): Effect.Effect<unknown> => {
  const { book, course, nodes, outside } = run
  switch (action.kind) {
    case "send":
      return Effect.gen(function* () {
        const from = action.to === "new" ? run.reached : action.to
        if (action.to === "new") run.reached += action.count
        const sends = Array.from({ length: action.count }, (_, n) => send(run, keyOf(from + n)))
        const calls = yield* Effect.forEach(sends, (one) => nodes.begin(one))
        if (action.waits) for (const call of calls) yield* nodes.wait(call)
      })
    case "hear":
      return Effect.suspend(() => {
        const key = keyOf(action.nth)
        const from = course.now
        return Effect.map(Effect.orDie(nodes.on(listenTo(run, key, "oi"))), () => book.heard(key, from, course.now))
      })
    case "cancel":
      return nodes.on(cancel(run, action.nth))
    case "terms":
      return Effect.andThen(
        Effect.suspend(() => Effect.orDie(setTerms(run, action.terms))),
        nodes.on(hasten(run))
      )
    case "provider":
      return Effect.sync(() => outside.answers(action.mode, course.now))
    case "pass":
      return passTime(run, action.millis)
    default:
      return disturb(run, action)
  }
}

const refusals: ReadonlySet<string> = new Set([...passing, "rate_limited", "message_not_cancellable"])

const send = ({ book, number }: Run, key: string) =>
  Effect.map(Effect.exit(accept(number, welcome(key))), (exit) => {
    if (Exit.isSuccess(exit)) book.accepted.push(exit.value.id)
    else book.refused(refusals.has(codeOf(exit.cause)) ? undefined : codeOf(exit.cause))
  })

const cancel = ({ book, number }: Run, nth: number) =>
  Effect.gen(function* () {
    const id = book.accepted[nth % Math.max(1, book.accepted.length)]
    if (id === undefined) return
    const owners = yield* Messages.PhoneNumberEntity.client
    const asked = { id, environment_id: number.environment_id, environment: number.kind, claim: undefined }
    const exit = yield* Effect.exit(owners.Cancel(number.id, asked))
    if (Exit.isFailure(exit)) book.refused(refusals.has(codeOf(exit.cause)) ? undefined : codeOf(exit.cause))
  })

const setTerms = ({ book, course, number, sql }: Run, { quality, tier }: Terms) => {
  book.changed(course.now, allowanceOf(tier, quality) ?? 0)
  return sql`update phone_numbers set messaging_tier = ${tier}, quality_rating = ${quality} where id = ${number.id}`
}

/** As the one who is told of tier and quality does. */
const hasten = ({ number }: Run) =>
  Effect.gen(function* () {
    const commit = yield* Commit
    const due_at = yield* Clock.currentTimeMillis
    yield* Effect.exit(
      commit.write([
        Messages.pacingChanges.hasten({ environment_id: number.environment_id, business_id: number.id, due_at })
      ])
    )
  })

const waiting = ({ number, sql }: Run) =>
  Effect.map(
    sql<{ readonly n: number }>`select count(*)::int4 as n from messages
      where business_id = ${number.id} and status in ('queued', 'sending')`,
    ([row]) => row?.n ?? 0
  )

/** Lets hours or days pass: from one instant at which a slot ends or a message is due straight to the next. */
const passTime = (run: Run, millis: number) =>
  pass(
    run,
    millis,
    (now) => run.sql<{ readonly next: number | null }>`select least(
      (select min(expires_at) from allowance_slots where business_id = ${run.number.id} and expires_at > ${now}),
      (select min(due_at) from messages where business_id = ${run.number.id} and due_at > ${now})) as next`
  )
