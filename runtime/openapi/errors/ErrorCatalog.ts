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

/** What the page of one code tells. */
export interface ErrorEntry extends ErrorGuide {
  readonly code: string
  /** The refusal of requests; undefined for a code that only messages fail with. */
  readonly refusal: KnownRefusal | undefined
  /** The sentence of a message that failed with this code after it was accepted. */
  readonly failure: string | undefined
  /** Such as `POST /v1/messages`; empty for a code that any route may answer. */
  readonly routes: ReadonlyArray<string>
}

/** Refusals that belong to no operation: of paths that are none, and of routes that providers call. */
const besides = [RouteNotFound, ProviderWebhookNotConfigured, ProviderWebhookSignatureInvalid]

/** Codes that more routes than this answer are those of every route. */
const mostRoutes = 40

/** Every error code of the contract, by its name and in the order of the alphabet. */
export const errorCatalog = (operations: ReadonlyArray<ContractOperation>): ReadonlyMap<string, ErrorEntry> => {
  const refusals = new Map(knownRefusals(operations))
  for (const { code, spec } of besides) refusals.set(code, { code, ...spec })
  const routes = routesByCode(operations)
  const codes = [...new Set([...refusals.keys(), ...Object.keys(deliveryCodes)])].sort()
  return new Map(
    codes.map((code) => {
      const guide = guideOf(code)
      if (guide === undefined) throw new Error(`no guide for the error code ${code}`)
      const answering = routes.get(code) ?? []
      return [
        code,
        {
          code,
          ...guide,
          refusal: refusals.get(code),
          failure: Object.hasOwn(deliveryCodes, code) ? deliveryCodes[code as DeliveryCode] : undefined,
          routes: answering.length > mostRoutes ? [] : answering
        }
      ]
    })
  )
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
