import { Cursors } from "@carteiro/http-edge/Paging.ts"
import type { CallerWithin } from "@carteiro/http-edge/TypedCalls.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { Walked } from "@carteiro/tables/BoundedWalk.ts"
import { Effect } from "effect"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { positionOf } from "./Lists.ts"
import { asVisitor } from "./Operations.ts"
import type { Visit } from "./Pages.ts"
import { NotHere } from "./Refusals.ts"

/** A page of a list as its operation answers. */
interface AnsweredPage<Row> {
  readonly data: ReadonlyArray<Row>
  readonly next_cursor: string | null
}

/** Where a page of an operation begins, and the rows that it has for callers from outside. */
interface PagePart {
  readonly limit?: string
  readonly starting_after?: string
}

/**
 * Returns what makes the read of a list from its operation: rows newest first before an id, as a page of the console names
 * them. A filter that the operation refuses finds nothing.
 */
export const makeOperationList = Effect.map(
  Cursors,
  (cursors) =>
    <Row extends { readonly id: string }, Query extends PagePart>(
      operation: string,
      call: (caller: CallerWithin, request: { readonly query: Query }) => Effect.Effect<AnsweredPage<Row>, ApiError>
    ) =>
    (
      visit: Visit,
      environment: EnvironmentEntry,
      before: string | undefined,
      count: number,
      filters: Omit<Query, keyof PagePart>
    ): Effect.Effect<Walked<Row>, ApiError> =>
      Effect.gen(function* () {
        const caller = { ...asVisitor(visit, environment), rows: count }
        const part = before !== undefined && { starting_after: cursors.encode(operation, environment.id, [before]) }
        const { data, next_cursor } = yield* call(caller, { query: { ...filters, ...part } as Query })
        if (next_cursor === null || data.length >= count) return { rows: data, walked_to: null }
        const [walkedTo = null] = yield* cursors.decode(operation, environment.id, next_cursor)
        return { rows: data, walked_to: walkedTo }
      }).pipe((read) => unlessRefused<Walked<Row>>(read, { rows: [], walked_to: null }))
)

/**
 * Returns the read of a list from an operation of people, which says itself where its walk ended. A filter that the operation
 * refuses finds nothing.
 */
export const peoplesList =
  <Row, Query extends ReturnType<typeof positionOf>>(
    call: (
      caller: CallerWithin,
      request: { readonly query: Query }
    ) => Effect.Effect<{ readonly data: ReadonlyArray<Row>; readonly walked_to: string | null }, ApiError>
  ) =>
  (
    visit: Visit,
    environment: EnvironmentEntry,
    before: string | undefined,
    count: number,
    filters: Omit<Query, keyof ReturnType<typeof positionOf>>
  ): Effect.Effect<Walked<Row>, ApiError> => {
    const query = { ...filters, ...positionOf(before, count) } as unknown as Query
    return unlessRefused<Walked<Row>>(
      Effect.map(call(asVisitor(visit, environment), { query }), ({ data, walked_to }) => ({ rows: data, walked_to })),
      { rows: [], walked_to: null }
    )
  }

/** Returns nothing for what an operation refuses to look for, such as a phone that is none. */
export const unlessRefused = <A>(read: Effect.Effect<A, ApiError>, nothing: A): Effect.Effect<A, ApiError> =>
  Effect.catchIf(
    read,
    ({ status }) => status === 400,
    () => Effect.succeed(nothing)
  )

/** Returns the filters that narrow, as the query of an operation. */
export const narrowedBy = <Search extends object>(search: Search): Narrowed<Search> =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Narrowed<Search>

type Narrowed<Search> = { readonly [Name in keyof Search]?: Exclude<Search[Name], undefined> }

/** Refuses a thing that an operation does not find as a page refuses it. */
export const orNotHere = <A>(read: Effect.Effect<A, ApiError>): Effect.Effect<A, ApiError> =>
  Effect.catchIf(
    read,
    ({ status }) => status === 404,
    () => Effect.fail(new NotHere())
  )

/** Returns undefined for a thing that an operation does not find. */
export const orNothing = <A>(read: Effect.Effect<A, ApiError>): Effect.Effect<A | undefined, ApiError> =>
  Effect.catchIf(
    read,
    ({ status }) => status === 404,
    () => Effect.undefined
  )
