import type { IncomingMessage, ServerResponse } from "node:http"
import type { OperationTraits } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { Context, Result } from "effect"
import type { Caller } from "../admission/Admission.ts"
import type { Decoder, SliceDecoder } from "../decoding/Decoder.ts"
import type { QueryReader } from "../decoding/QueryString.ts"
import type { RawRequest } from "./ApiRequest.ts"
import type { Entrance, HandlerReply } from "./Entrance.ts"

/** The default body limit of a route in bytes: 10 MB, inclusive. A-LIM-01 */
export const defaultBodyLimit = 10_485_760

/** One operation of the contract, compiled once from its endpoint. */
export interface Operation {
  readonly kind: "operation"
  /** `<group>.<endpoint>`, equal to the operationId of /openapi.json. */
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly traits: OperationTraits
  readonly maxBodyBytes: number
  /** True when it counts among the calls in flight. */
  readonly isCounted: boolean
  /** Whether its reads may come from a replica. */
  readonly mayLag: boolean
  /** `json` is read and decoded, `none` is read and ignored, `bytes` is left to the handler. */
  readonly body: "json" | "none" | "bytes"
  readonly decodeBody: Decoder
  /** Decodes part by part, for a body that may hold a list of thousands. */
  readonly decodeInSlices: SliceDecoder | undefined
  /** The body's own fields in the order of the contract. */
  readonly bodyFields: ReadonlyArray<string>
  /** The handler's own check of a body, given the decoded value (or its refusal) and the value as sent. */
  readonly check: ((decoded: unknown, sent: unknown) => Result.Result<unknown, ApiError> | undefined) | undefined
  /**
   * Returns the first violation of a body that depends on the caller and the clock (milliseconds), given the decoded
   * value (or its refusal) and the value as sent. The caller is undefined on a route without a key.
   */
  readonly checkForCaller:
    | ((decoded: unknown, sent: unknown, caller: Caller | undefined, now: number) => ApiError | undefined)
    | undefined
  /** The decoded empty object, for a route that treats a missing body as one. */
  readonly emptyBody: unknown
  /** Returns members of a body that the contract ignores; undefined where it refuses them or takes no JSON. */
  readonly ignoredFields: ((body: unknown) => ReadonlyArray<string>) | undefined
  readonly readQuery: QueryReader
  readonly decodeParams: Decoder | undefined
  /** The entrance, with the handler behind it; its refusal comes before those of the body. */
  readonly entrance: Entrance
  /** The services of the handler, captured when its layer was built; each request's fiber runs in this context. */
  readonly context: Context.Context<never>
}

/** A route outside the contract: health, description, dashboard pages, vendor webhooks. */
export interface RawRoute {
  readonly kind: "raw"
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly maxBodyBytes: number
  readonly isCounted: boolean
  readonly handler: (request: RawRequest) => HandlerReply
  readonly context: Context.Context<never>
}

/** An external application that owns every path under a prefix and writes its own responses. */
export interface Mount {
  readonly kind: "mount"
  readonly operation: string
  readonly path: string
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void
}

/** Every kind of route. */
export type Route = Operation | RawRoute | Mount

/** One segment of the known paths, with the segments that may follow it. */
export interface RouteNode {
  readonly statics: Map<string, RouteNode>
  parameter: RouteNode | undefined
  /** The application mounted here, which handles every path below. */
  prefix: Route | undefined
  readonly methods: Map<string, RouteLeaf>
}

/** One route at the end of its path, with the names of its parameters in order. */
export interface RouteLeaf {
  readonly route: Route
  readonly names: ReadonlyArray<string>
}
