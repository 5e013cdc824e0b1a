import { batch, defineOwner, longCall } from "@carteiro/owners/Owner.ts"
import { Schema } from "effect"

const Types = Schema.UndefinedOr(Schema.Array(Schema.String))

const readFields = {
  api_key_id: Schema.String,
  /** Undefined for sandbox keys only. A-LSN-13 */
  session_id: Schema.UndefinedOr(Schema.String),
  limit: Schema.Int,
  types: Types
}

/** One read of the stream, answered at once. */
export const ReadItem = Schema.Struct({
  ...readFields,
  /** A position, or the present end of the stream. A-LSN-06..08 */
  after: Schema.Union([Schema.Int, Schema.Literal("tail")])
})
export type ReadItem = typeof ReadItem.Type

/** One long poll. */
export const ListenItem = Schema.Struct({
  ...readFields,
  poll_id: Schema.String,
  after: Schema.Int,
  /** Epoch milliseconds. A-LSN-10 */
  deadline: Schema.Number
})
export type ListenItem = typeof ListenItem.Type

/** The result of a read or long poll; see `ListenSlice`. */
export const ListenResult = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      position: Schema.Int,
      id: Schema.String,
      type: Schema.String,
      created_at: Schema.Number,
      trace_id: Schema.String,
      envelope: Schema.String
    })
  ),
  has_more: Schema.Boolean,
  position: Schema.Int,
  next_poll_after_ms: Schema.Int
})
export type ListenResult = typeof ListenResult.Type

/** A stored session; see `ListenSession` of the rules. */
const SessionAtRest = Schema.Struct({
  id: Schema.String,
  api_key_id: Schema.String,
  trace_id: Schema.String,
  created_at: Schema.Number,
  expires_at: Schema.Number,
  disabled_at: Schema.NullOr(Schema.Number),
  key_ends_at: Schema.NullOr(Schema.Number)
})

/** A POST of a session; `at` is its arrival in epoch milliseconds. */
const OpenSessionItem = Schema.Struct({
  id: Schema.String,
  api_key_id: Schema.String,
  trace_id: Schema.String,
  ttl_seconds: Schema.UndefinedOr(Schema.Int),
  reason: Schema.NullOr(Schema.String),
  at: Schema.Number
})

/**
 * The owner of one environment's event order, its open long polls and its listen session; it has the environment's id
 * and so runs on the node of the Environment owner. It is separate from its behaviour (`ListenBehaviour`), because the
 * notifier that the behaviour calls wakes owners of other nodes by this name.
 */
export const ListenEntity = defineOwner("Listen", {
  Read: batch(ReadItem, ListenResult),
  Listen: longCall(ListenItem, ListenResult),
  /** Ends a long poll at once, because its client disconnected or its node stops; frees its slot. */
  Leave: batch(Schema.Struct({ poll_id: Schema.String }), Schema.Void),
  OpenSession: batch(OpenSessionItem, SessionAtRest),
  EndSession: batch(Schema.Struct({ id: Schema.String, api_key_id: Schema.String, at: Schema.Number }), SessionAtRest)
})
