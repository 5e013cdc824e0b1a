import type { IncomingMessage, ServerResponse } from "node:http"
import type { OperationTraits } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { Context, Result } from "effect"
import type { Caller } from "../admission/Admission.ts"
import type { Decoder, StretchDecoder } from "../decoding/Decoder.ts"
import type { QueryReader } from "../decoding/QueryString.ts"
import type { RawRequest } from "./ApiRequest.ts"
import type { Answer, Entrance } from "./Entrance.ts"

/** Body limit of a route that names none: 10 MB, equal allowed. A-LIM-01 */
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
  /** Whether it counts among the calls in flight. */
  readonly isCounted: boolean
  /** `json` is read and decoded, `none` is read and ignored, `bytes` is left to the handler. */
  readonly body: "json" | "none" | "bytes"
  readonly decodeBody: Decoder
  /** The same a stretch at a time, of a body that may hold a list of thousands. */
  readonly decodeInStretches: StretchDecoder | undefined
  /** The body's own fields in the order of the contract. */
  readonly bodyFields: ReadonlyArray<string>
  /** The handler's own check of a body, given the decoded value (or its refusal) and the value that was sent. */
  readonly check: ((decoded: unknown, sent: unknown) => Result.Result<unknown, ApiError> | undefined) | undefined
  /**
   * The first violation of a body that only the caller and the clock can tell, given what was decoded (or its refusal) and
   * what was sent; milliseconds. The caller is undefined on a route without a key.
   */
  readonly checkForCaller:
    | ((decoded: unknown, sent: unknown, caller: Caller | undefined, now: number) => ApiError | undefined)
    | undefined
  /** The decoded empty object, where a route takes a request without any body as one. */
  readonly emptyBody: unknown
  /** Members of a body that the contract ignores; undefined where it refuses them or takes no JSON. */
  readonly ignoredFields: ((body: unknown) => ReadonlyArray<string>) | undefined
  readonly readQuery: QueryReader
  readonly decodeParams: Decoder | undefined
  /** Who is let in, and the handler behind that; a refusal comes before what the body breaks. */
  readonly entrance: Entrance
  /** Everything the handler needs, captured when its layer was built; each request's fiber runs in it. */
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
  readonly handler: (request: RawRequest) => Answer
  readonly context: Context.Context<never>
}

/** A foreign application that owns every path under a prefix and writes its own answers. */
export interface Mount {
  readonly kind: "mount"
  readonly operation: string
  readonly path: string
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void
}

/** Anything a path may lead to. */
export type Route = Operation | RawRoute | Mount

/** One segment of the known paths, with the segments that may follow it. */
export interface RouteNode {
  readonly statics: Map<string, RouteNode>
  parameter: RouteNode | undefined
  /** The application mounted here, which takes every path below. */
  prefix: Route | undefined
  readonly methods: Map<string, RouteLeaf>
}

/** One route at the end of its path, with the names of its parameters in order. */
export interface RouteLeaf {
  readonly route: Route
  readonly names: ReadonlyArray<string>
}
