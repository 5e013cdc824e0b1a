import { httpException } from "@carteiro/http-edge/Refusals.ts"
import type { KnownRefusal } from "@carteiro/schema/conventions/ApiError.ts"
import {
  ProviderWebhookNotConfigured,
  ProviderWebhookSignatureInvalid
} from "@carteiro/schema/conventions/ProviderWebhookErrors.ts"
import { RouteNotFound } from "@carteiro/schema/conventions/SharedErrors.ts"
import { type DeliveryCode, deliveryCodes } from "@carteiro/schema/messages/DeliveryCodes.ts"
import type { ContractOperation } from "../description/ContractOperation.ts"
import { knownRefusals, refusalsOf } from "../description/Refusals.ts"
import type { ErrorGuide } from "./ErrorGuide.ts"
import { guideOf } from "./GuideOf.ts"

/** The content of one code's page. */
export interface ErrorEntry extends ErrorGuide {
  readonly code: string
  /** The refusal of requests; undefined for a code with which only messages fail. */
  readonly refusal: KnownRefusal | undefined
  /** The sentence of a message that failed with this code after its acceptance. */
  readonly failure: string | undefined
  /** All statuses of the code's refusals, ascending. */
  readonly statuses: ReadonlyArray<number>
  /** The types that go with the statuses. */
  readonly types: ReadonlyArray<string>
  /** The routes, such as `POST /v1/messages`; empty when `where` describes them in one sentence. */
  readonly routes: ReadonlyArray<string>
  /** One sentence for a code that no short list of routes describes. */
  readonly where: string | undefined
}

const providersOnly = "Only the routes below `/webhooks`, which providers call."

/** Refusals that belong to no operation, each with its place. */
const besides = [
  { refusal: RouteNotFound, where: "Every path that is not a route." },
  { refusal: ProviderWebhookNotConfigured, where: providersOnly },
  { refusal: ProviderWebhookSignatureInvalid, where: providersOnly }
] as const

/**
 * The statuses of `http_exception` that no operation declares, because the listener or a single route answers them.
 * A-ERR-22
 */
const exceptionStatuses = [400, 403, 405, 408, 415, 416, 417, 431]

/** The number of routes above which a page shows their count instead of a list. */
const mostRoutes = 40

/** Returns every error code of the contract, in alphabetical order of names. */
export const errorCatalog = (operations: ReadonlyArray<ContractOperation>): ReadonlyMap<string, ErrorEntry> => {
  const refusals = new Map(knownRefusals(operations))
  for (const { refusal } of besides) refusals.set(refusal.code, { code: refusal.code, ...refusal.spec })
  const routes = routesByCode(operations)
  const codes = [...new Set([...refusals.keys(), ...Object.keys(deliveryCodes)])].sort()
  return new Map(
    codes.map((code) => {
      const guide = guideOf(code)
      if (guide === undefined) throw new Error(`no guide for the error code ${code}`)
      const answering = routes.get(code) ?? []
      const refusal = refusals.get(code)
      const kinds = kindsOf(refusal)
      return [
        code,
        {
          code,
          ...guide,
          refusal,
          statuses: kinds.map(({ status }) => status),
          types: [...new Set(kinds.map(({ type }) => type))],
          failure: Object.hasOwn(deliveryCodes, code) ? deliveryCodes[code as DeliveryCode] : undefined,
          routes: answering.length > mostRoutes ? [] : answering,
          where: whereOf(code, answering.length, operations.length)
        }
      ]
    })
  )
}

const kindsOf = (refusal: KnownRefusal | undefined): ReadonlyArray<Pick<KnownRefusal, "status" | "type">> => {
  if (refusal === undefined) return []
  return refusal.code === "http_exception"
    ? exceptionStatuses.map((status) => httpException(status, refusal.message))
    : [refusal]
}

const whereOf = (code: string, answering: number, all: number): string | undefined => {
  const outside = besides.find(({ refusal }) => refusal.code === code)
  if (outside !== undefined) return outside.where
  if (answering === all || code === "http_exception") return "Any route may answer it."
  if (answering > mostRoutes) return `${answering} of ${all} routes may answer it; the API reference names them.`
  return undefined
}

const routesByCode = (operations: ReadonlyArray<ContractOperation>): ReadonlyMap<string, ReadonlyArray<string>> => {
  const routes = new Map<string, Array<string>>()
  for (const operation of operations) {
    for (const code of new Set(refusalsOf(operation).map((refusal) => refusal.code))) {
      const known = routes.get(code) ?? []
      known.push(`${operation.method.toUpperCase()} ${operation.path}`)
      routes.set(code, known)
    }
  }
  return routes
}
