import type { Follower } from "@carteiro/owners/Commit.ts"
import type { DueOwners, TableGauge } from "@carteiro/owners/DueWork.ts"
import type { Ids } from "@carteiro/owners/Ids.ts"
import type { Secrets } from "@carteiro/secrets/Secrets.ts"
import type { Job } from "@carteiro/tables/Retention.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import type { Eraser } from "../erasure/Erasers.ts"
import { storedResponses } from "../erasure/StoredResponses.ts"
import type { EventRenderer } from "../outbox/EventRenderers.ts"
import type { OutwardWork } from "../restore/OutwardWork.ts"
import type { NewEnvironment } from "../tenancy/EnvironmentCreated.ts"

/** An act of accounts with its handler; room billing declares them. */
interface AnyActHandler {
  readonly act: { readonly name: string }
  readonly rules: Effect.Effect<unknown, never, unknown>
}

type AnyLayer = Layer.Layer<never, unknown, unknown>

/**
 * One room of the product. A room with nothing of a kind leaves the member out. `Values` are the
 * settings of the process: a room names the ones it reads. docs/style.md "The tree"
 */
export interface Room<Values = never> {
  /** The folder of the room. */
  readonly name: string
  /** Makes references of the settings that it reads. */
  readonly settings?: (values: Values) => Layer.Layer<never>
  /** Statements that follow writes of other rooms, see `CommitFollowers`. */
  readonly followers?: Readonly<Record<string, ReadonlyArray<Follower>>>
  /** Its rows in every new environment, in the commit that makes it. */
  readonly environment?: Effect.Effect<(environment: NewEnvironment) => ReadonlyArray<Row>, never, Ids>
  /** Answers references that other rooms or the shared ground declare; needs no room. */
  readonly answers?: AnyLayer
  /** Renderers of its events that are declared to be rendered at each attempt. */
  readonly renderers?: Effect.Effect<ReadonlyArray<EventRenderer>, never, SqlClient.SqlClient | Secrets>
  /** How it erases what its tables hold of one customer; a room without any keeps nothing of customers. gaps-2 I "Erasure" */
  readonly erasers?: Effect.Effect<ReadonlyArray<Eraser>, never, SqlClient.SqlClient | Secrets | Ids>
  /** Services that other rooms and the operator's commands call; may need the services of rooms before it, and no owner. */
  readonly services?: AnyLayer
  /** Services that other rooms call on nodes that answer HTTP; may need services, actions of rooms before it, and owners. */
  readonly actions?: AnyLayer
  /** Its routes, for nodes that answer HTTP; may need the services and actions of all rooms. */
  readonly routes?: AnyLayer
  /** Pages for people; only the dashboard has any, see `docs/decisions/0009-one-record-a-room.md`. */
  readonly pages?: AnyLayer
  /** Handlers of the acts that it has accounts decide; may need the services of all rooms. Architecture, section 6 */
  readonly acts?: ReadonlyArray<AnyActHandler>
  /** Its owner types, for nodes that hold shards; may need the services of all rooms. */
  readonly owners?: AnyLayer
  /** How the sweeper finds its owners with something due, made once a sweeper. */
  readonly due?: ReadonlyArray<Effect.Effect<DueOwners, never, SqlClient.SqlClient>>
  /** Its periodic jobs, those of retention among them. */
  readonly jobs?: ReadonlyArray<Job>
  /** Its work that leaves the installation, which is held after a restore. decision 0066 */
  readonly outward?: ReadonlyArray<OutwardWork>
  /** Metrics over its tables, read by one node of the cluster. */
  readonly gauges?: ReadonlyArray<TableGauge>
}

/** Members that hold a layer. */
export type LayerMember = "answers" | "services" | "actions" | "routes" | "pages" | "owners"

/** Declares a room; its layers keep their types. */
export const defineRoom = <const R extends Room>(room: R): R => room

/** The layers of one member in a list of rooms. */
type LayerIn<R, Member extends LayerMember> = R extends { readonly [M in Member]: infer L extends AnyLayer } ? L : never

/** The merged layers of one member; its needs include those that another room meets. */
export type MergedLayer<R extends Room, Member extends LayerMember> = Layer.Layer<
  Layer.Success<LayerIn<R, Member>>,
  Layer.Error<LayerIn<R, Member>>,
  Layer.Services<LayerIn<R, Member>>
>

/** One member of all rooms, side by side. */
export const mergeRooms = <R extends Room, const Member extends LayerMember>(
  rooms: ReadonlyArray<R>,
  member: Member
): MergedLayer<R, Member> =>
  rooms.reduce<AnyLayer>((merged, room) => {
    const own = room[member]
    return own === undefined ? merged : Layer.merge(merged, own)
  }, Layer.empty) as MergedLayer<R, Member>

/** The needs of one member in a list of rooms, each of which is given what the rooms before it provide. */
type NeededInOrder<Rooms, Member extends LayerMember, Given = never> = Rooms extends readonly [
  infer First,
  ...infer Rest
]
  ?
      | Exclude<Layer.Services<LayerIn<First, Member>>, Given>
      | NeededInOrder<Rest, Member, Given | Layer.Success<LayerIn<First, Member>>>
  : never

/** One member of all rooms, each given what the rooms before it provide; a room too early does not compile. */
export const stackRooms = <const Rooms extends ReadonlyArray<Room>, const Member extends LayerMember>(
  rooms: Rooms,
  member: Member
) =>
  rooms.reduce<AnyLayer>((below, room) => {
    const own = room[member]
    return own === undefined ? below : Layer.provideMerge(own, below)
  }, Layer.empty) as Layer.Layer<
    Layer.Success<LayerIn<Rooms[number], Member>>,
    Layer.Error<LayerIn<Rooms[number], Member>>,
    NeededInOrder<Rooms, Member>
  >

/** Followers of all rooms behind one write, in the order of the rooms. */
export const followersOf = (rooms: ReadonlyArray<Room>): Readonly<Record<string, ReadonlyArray<Follower>>> => {
  const all = rooms.flatMap(({ followers = {} }) => Object.entries(followers))
  return Object.fromEntries(
    all.map(([write]) => [write, all.flatMap(([name, some]) => (name === write ? some : []))] as const)
  )
}

/** The acts of a list of rooms, in their order. */
type ActsIn<Rooms> = Rooms extends readonly [infer First, ...infer Rest]
  ? [...(First extends { readonly acts: infer Own extends ReadonlyArray<AnyActHandler> } ? Own : []), ...ActsIn<Rest>]
  : []

/** Names that stand more than once in a list of handlers. */
type NamedTwice<Handlers> = Handlers extends readonly [
  infer First extends AnyActHandler,
  ...infer Rest extends ReadonlyArray<AnyActHandler>
]
  ? Extract<First["act"]["name"], Rest[number]["act"]["name"]> | NamedTwice<Rest>
  : never

/** The handlers of all rooms; two handlers of one act do not compile. */
export const actsOf = <const Rooms extends ReadonlyArray<Room>>(
  rooms: Rooms & ([NamedTwice<ActsIn<Rooms>>] extends [never] ? unknown : { handledTwice: NamedTwice<ActsIn<Rooms>> })
) => rooms.flatMap(({ acts = [] }) => acts) as unknown as ActsIn<Rooms>

/** Returns the rows that all rooms put into a new environment, in the order of the rooms. */
export const environmentOf = (rooms: ReadonlyArray<Room>) =>
  Effect.all(rooms.flatMap(({ environment }) => (environment === undefined ? [] : [environment])))

/** The renderers of all rooms. */
export const renderersOf = (rooms: ReadonlyArray<Room>) =>
  Effect.map(Effect.all(rooms.flatMap(({ renderers }) => (renderers === undefined ? [] : [renderers]))), (some) =>
    some.flat()
  )

/**
 * The erasers of all rooms, those that raise events before those that keep them, and at last the platform's own, which has
 * stored responses redacted by the others.
 */
export const erasersOf = (rooms: ReadonlyArray<Room>) =>
  Effect.flatMap(Effect.all(rooms.flatMap(({ erasers }) => (erasers === undefined ? [] : [erasers]))), (some) => {
    const own = some.flat().reverse()
    return Effect.map(storedResponses(own), (platform) => [...own, platform])
  })
