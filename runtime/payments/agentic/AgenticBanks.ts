import { type AgenticBank, AgenticPlatform } from "@carteiro/provider/payments/AgenticProvider.ts"
import { hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { AgenticBankNotFound, InvalidPaymentRequest } from "@carteiro/schema/payments/PaymentErrors.ts"
import { Context, Effect, Layer } from "effect"
import type { PaymentsConnection } from "../../provider-connections/ProviderConnections.ts"

/** The banks of every sandbox. gaps-3 C "Agentic banks" */
export const sandboxBanks: ReadonlyArray<AgenticBank> = [
  { id: "sbbank_alpha", name: "Sandbox Bank Alpha", ispb: "99000001", logo_url: null, status: "available" },
  { id: "sbbank_beta", name: "Sandbox Bank Beta", ispb: "99000002", logo_url: null, status: "available" },
  { id: "sbbank_gamma", name: "Sandbox Bank Gamma", ispb: "99000003", logo_url: null, status: "unavailable" }
]

/** How long a provider's answer is cached, in milliseconds. gaps-3 C "Agentic banks" */
const freshMs = hourMs
/** The most connections whose banks a node caches. */
const mostRemembered = 1000

/** The banks of connected providers, at most an hour old. */
export class AgenticBanks extends Context.Service<
  AgenticBanks,
  {
    /** Returns the banks by name; undefined when the provider gives no answer. */
    of(connection: PaymentsConnection, now: number): Effect.Effect<ReadonlyArray<AgenticBank> | undefined>
  }
>()("@carteiro/runtime/payments/agentic/AgenticBanks") {
  static readonly layer = Layer.effect(
    AgenticBanks,
    Effect.gen(function* () {
      const provider = yield* AgenticPlatform
      const known = new Map<string, { readonly banks: ReadonlyArray<AgenticBank>; readonly until: number }>()
      return AgenticBanks.of({
        of: Effect.fnUntraced(function* ({ agentic_api_base_url: base_url, credential, id }, now) {
          const remembered = known.get(id)
          if (remembered !== undefined && remembered.until > now) return remembered.banks
          if (provider === undefined || credential === undefined) return undefined
          const answer = yield* provider.banks({ key: credential, base_url })
          if (answer._tag !== "Banks") return undefined
          const banks = answer.banks.toSorted(byName)
          known.delete(id)
          known.set(id, { banks, until: now + freshMs })
          const [oldest] = known.keys()
          if (known.size > mostRemembered && oldest !== undefined) known.delete(oldest)
          return banks
        })
      })
    })
  )
}

/** Returns the banks of a list behind that one. */
export const banksAfter = (
  banks: ReadonlyArray<AgenticBank>,
  last: Pick<AgenticBank, "id" | "name">
): ReadonlyArray<AgenticBank> => banks.filter((bank) => byName(bank, last) > 0)

/**
 * Refuses a bank that the provider does not list, or that takes no authorizations now. Without the provider's list the
 * provider itself checks the bank. gaps-3 C "Agentic banks"
 */
export const bankRefusal = (
  known: ReadonlyArray<AgenticBank> | undefined,
  bankId: string
): AgenticBankNotFound | InvalidPaymentRequest | undefined => {
  if (known === undefined) return undefined
  const bank = known.find(({ id }) => id === bankId)
  if (bank === undefined) return new AgenticBankNotFound()
  if (bank.status !== "unavailable") return undefined
  const message = "This bank takes no authorizations now; GET /v1/agentic/banks tells which do."
  return new InvalidPaymentRequest({ param: "bank_id", message })
}

/** The order of the list: by name, then by id. */
const byName = (one: Pick<AgenticBank, "id" | "name">, other: Pick<AgenticBank, "id" | "name">): number =>
  one.name < other.name ? -1 : one.name > other.name ? 1 : one.id < other.id ? -1 : one.id > other.id ? 1 : 0
