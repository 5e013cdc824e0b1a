import type { Caller } from "@carteiro/http-edge/Admission.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import {
  type CardPageExits,
  CardProcessor,
  type CardProvider,
  type ProcessorCard
} from "@carteiro/provider/payments/CardProvider.ts"
import {
  BillingProviderNotConfigured,
  CardDeclined,
  InvalidBillingRequest,
  PaymentMethodLimitReached
} from "@carteiro/schema/billing/BillingErrors.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { ProviderError } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Context, Effect, Layer } from "effect"
import { CardRepo } from "../cards/CardRepo.ts"
import { insertCustomer } from "../cards/CardWrites.ts"
import { mostActiveCards } from "../cards/SavedCard.ts"
import { sandboxCards } from "../charges/SandboxCalls.ts"
import { planAccountOf } from "../plans/AccountPlans.ts"
import { WalletRepo } from "../wallet/WalletRepo.ts"

/** A card that may be saved. */
interface Collected extends Pick<ProcessorCard, "brand" | "last4" | "exp_month" | "exp_year"> {
  readonly customer: string
  readonly card: string
}

type Asking = Pick<Caller, "organization_id" | "environment_id" | "environment">

/**
 * Collects cards at the processor; in a sandbox without any call. A repeated step makes nothing twice, because the
 * customer is keyed by the account's id. gaps-3 E "Saved cards", "Setup intent body", gaps-3 A "Sandbox card fixtures"
 */
export class CardCollection extends Context.Service<
  CardCollection,
  {
    /** Begins to collect a card. */
    begin(
      caller: Asking,
      now: number
    ): Effect.Effect<
      { readonly customer: string; readonly id: string; readonly client_secret: string | null },
      ApiError
    >
    /** True when the processor collects cards on pages of its own. */
    readonly hasPages: boolean
    /** Begins a page of the processor, and returns its address. */
    openPage(caller: Asking, exits: CardPageExits, now: number): Effect.Effect<string, ApiError>
    /** Returns the card that a page collected for the account; it is not yet saved. */
    collected(caller: Asking, pageId: string): Effect.Effect<ProcessorCard, ApiError>
    /** Finds a collected card and attaches it to the account's customer. */
    take(caller: Asking, card: string, now: number): Effect.Effect<Collected, ApiError>
    /** Detaches a card from the account's customer. */
    giveBack(caller: Asking, card: string): Effect.Effect<void, ApiError>
  }
>()("@carteiro/runtime/billing/routes/CardCollection") {
  static readonly layer = Layer.effect(
    CardCollection,
    Effect.gen(function* () {
      const processor = yield* CardProcessor
      const repo = yield* CardRepo
      const wallets = yield* WalletRepo
      const commit = yield* Commit
      const ids = yield* Ids

      const provider: Effect.Effect<CardProvider, ApiError> =
        processor === undefined ? Effect.fail(new BillingProviderNotConfigured()) : Effect.succeed(processor)

      /** Returns the account's customer there, which is created when it is first needed. */
      const customerOf = Effect.fnUntraced(function* (account: string, now: number, cards: CardProvider) {
        const known = yield* repo.customer(account)
        if (known !== undefined) return known.id
        const made = yield* cards.customer(account)
        if (made._tag !== "Customer") return yield* new ProviderError()
        yield* wallets.open(account, now)
        // Every request gets the same customer, because it is keyed by the account's id.
        yield* Effect.orDie(
          commit.write([insertCustomer.row({ account_id: account, customer: made.id, created_at: now })])
        )
        return made.id
      })

      const requireRoom = Effect.fnUntraced(function* (account: string, card: string) {
        const { cards } = yield* repo.all(account)
        const active = cards.filter(({ status }) => status === "active")
        if (active.length >= mostActiveCards && !active.some((one) => one.card === card)) {
          return yield* new PaymentMethodLimitReached()
        }
      })

      return CardCollection.of({
        begin: Effect.fnUntraced(function* (caller, now) {
          const account = planAccountOf(caller)
          if (caller.environment === "sandbox") {
            const id = `sbseti_${ids.traceId()}`
            return { customer: sandboxCustomer(account), id, client_secret: `${id}_secret_sandbox` }
          }
          const cards = yield* provider
          const customer = yield* customerOf(account, now, cards)
          const setup = yield* cards.setup(customer)
          if (setup._tag !== "Setup") return yield* new ProviderError()
          return { customer, id: setup.id, client_secret: setup.client_secret }
        }),
        hasPages: processor?.pages !== undefined,
        openPage: Effect.fnUntraced(function* (caller, exits, now) {
          const cards = yield* provider
          if (cards.pages === undefined) return yield* new BillingProviderNotConfigured()
          const page = yield* cards.pages.begin(yield* customerOf(planAccountOf(caller), now, cards), exits)
          return page._tag === "Page" ? page.url : yield* new ProviderError()
        }),
        collected: Effect.fnUntraced(function* (caller, pageId) {
          const { pages } = yield* provider
          if (pages === undefined) return yield* new BillingProviderNotConfigured()
          const customer = yield* repo.customer(planAccountOf(caller))
          const card = yield* pages.card(pageId)
          if (card._tag === "Unknown") return yield* new ProviderError()
          // The page of another account's customer is as absent as any other.
          const isOurs = card._tag === "Card" && customer !== undefined && card.customer === customer.id
          return isOurs ? card : yield* noCollectedCard
        }),
        take: Effect.fnUntraced(function* (caller, card, now) {
          const account = planAccountOf(caller)
          if (caller.environment === "sandbox") {
            if (!sandboxCards.some((one) => one === card)) return yield* notCollected(sandboxCards.join(", "))
            return { ...sandboxLook, customer: sandboxCustomer(account), card }
          }
          const cards = yield* provider
          const found = yield* cards.card(card)
          if (found._tag === "Absent") return yield* notCollected("a card that the processor has collected")
          if (found._tag !== "Card") return yield* refusalOf(found)
          if (!found.isSetUp) return yield* new CardDeclined()
          yield* requireRoom(account, card)
          const customer = yield* customerOf(account, now, cards)
          const attached = yield* cards.attach(card, customer)
          if (attached._tag === "Refused" && attached.code === "card_unusable") {
            return yield* notCollected("a card that can be attached; collect this one anew")
          }
          if (attached._tag !== "Card") return yield* refusalOf(attached)
          const { brand, exp_month, exp_year, id, last4 } = attached
          // A processor may attach a copy of a card that stands for many.
          return { customer, card: id, brand, exp_month, exp_year, last4 }
        }),
        giveBack: Effect.fnUntraced(function* (caller, card) {
          if (caller.environment === "sandbox") return
          const account = planAccountOf(caller)
          const customer = yield* repo.customer(account)
          if (customer === undefined) return
          const detached = yield* (yield* provider).detach(card, customer.id)
          if (detached._tag === "Refused" || detached._tag === "Unknown") return yield* new ProviderError()
        })
      })
    })
  )
}

const notCollected = (expected: string) =>
  new InvalidBillingRequest({
    param: "cardproc_payment_method_id",
    message: `cardproc_payment_method_id: expected ${expected}.`
  })

const noCollectedCard = new InvalidBillingRequest({
  param: "page_id",
  message: "page_id: no card was collected on this page; collect it anew."
})

/** Returns the refusal: the card's bank declined it, or the processor failed. */
const refusalOf = (answer: { readonly _tag: string; readonly decline_code?: string | null }): ApiError =>
  answer._tag === "Refused" && typeof answer.decline_code === "string"
    ? new CardDeclined({ details: { decline_code: answer.decline_code } })
    : new ProviderError()

const sandboxCustomer = (account: string): string => `sbcus_${account}`

const sandboxLook = { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2034 } as const
