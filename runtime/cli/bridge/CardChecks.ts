import type { CardOrder, CardProvider } from "@carteiro/provider/payments/CardProvider.ts"
import { Effect } from "effect"
import { type BridgeCheck, expected } from "./BridgeCheck.ts"

/** Cards and names of one run: `id` makes them those of no other run. */
export interface CardCheckOptions {
  /** The adapter with the bridge's key, and one with a key that the bridge does not know. */
  readonly own: CardProvider
  readonly stranger: CardProvider
  readonly id: string
  /** A card that pays, one that its bank declines, and one whose bank asks for the cardholder. */
  readonly card: string
  readonly declined: string
  readonly authenticated: string
  /** A customer whose charges are listed, where the processor refuses to list those of one that it does not have. */
  readonly known?: string
}

/** An amount whose conversion to a decimal and back would show. */
const amount = 1001

/** The promises of gaps-3 G "cardproc calls" that can be seen from outside. */
export const cardChecks = (options: CardCheckOptions): ReadonlyArray<BridgeCheck> => {
  const { id, own, stranger } = options
  const never = { customer: options.known ?? `${id}.never`, ordered_at: 0 }
  return [
    {
      promise: "a search for a charge proves the key",
      writes: false,
      run: Effect.map(own.proveCredential, (proof) => (proof === "accepted" ? undefined : expected("a success", proof)))
    },
    {
      promise: "another key is refused with 401 or 403 and credentials_invalid",
      writes: false,
      run: Effect.gen(function* () {
        const proof = yield* stranger.proveCredential
        if (proof !== "refused") return expected("401 or 403", proof)
        const answer = yield* stranger.chargeOf(`${id}.never`, never)
        const isRefused = answer._tag === "Refused" && answer.code === "credentials_invalid"
        return isRefused ? undefined : expected("the refusal credentials_invalid", answer)
      })
    },
    {
      promise: "GET /v1/payment_intents?external_id= of an id that was never used is an empty list",
      writes: false,
      run: Effect.map(own.chargeOf(`${id}.never`, never), (answer) =>
        answer._tag === "Absent" ? undefined : expected("an empty list", answer)
      )
    },
    {
      promise: "a charge and a card that do not exist are answered 404",
      writes: false,
      run: Effect.gen(function* () {
        const charge = yield* own.chargeById(`${id}.never`)
        if (charge._tag !== "Absent") return expected("404 for the charge", charge)
        const card = yield* own.card(`${id}.never`)
        return card._tag === "Absent" ? undefined : expected("404 for the card", card)
      })
    },
    { promise: "a customer is made once for an id", writes: true, run: oneCustomer(options) },
    { promise: "a card's collection has the secret of its page", writes: true, run: oneSetup(options) },
    {
      promise: "a card is shown, attached to a customer twice, and detached twice",
      writes: true,
      run: oneCard(options)
    },
    {
      promise: "a charge is made once for an id, to the centavo, and is found by both ids",
      writes: true,
      run: oneCharge(options)
    },
    {
      promise: "a card that its bank declines has failed with its decline_code",
      writes: true,
      run: oneDecline(options)
    },
    {
      promise: "a charge that needs its cardholder waits with a client_secret, and fails off session",
      writes: true,
      run: oneAuthentication(options)
    },
    { promise: "a card that the customer does not have is not charged", writes: true, run: noCard(options) }
  ]
}

/** Returns the customer of this run; undefined when it could not be made. */
const customerOf = ({ id, own }: CardCheckOptions) =>
  Effect.map(own.customer(id), (answer) => (answer._tag === "Customer" ? answer.id : undefined))

const noCustomer = "there was no customer to check this with"

const oneCustomer = Effect.fnUntraced(function* ({ id, own }: CardCheckOptions): Effect.fn.Return<string | undefined> {
  const first = yield* own.customer(id)
  if (first._tag !== "Customer") return expected("a customer", first)
  const second = yield* own.customer(id)
  return second._tag === "Customer" && second.id === first.id
    ? undefined
    : expected(`the customer ${first.id} for the same id again`, second)
})

const oneSetup = Effect.fnUntraced(function* (options: CardCheckOptions): Effect.fn.Return<string | undefined> {
  const customer = yield* customerOf(options)
  if (customer === undefined) return noCustomer
  const setup = yield* options.own.setup(customer)
  return setup._tag === "Setup" && setup.client_secret !== null
    ? undefined
    : expected("an id and a client_secret", setup)
})

const noLook = { last4: null, exp_month: null, exp_year: null }

const oneCard = Effect.fnUntraced(function* (options: CardCheckOptions): Effect.fn.Return<string | undefined> {
  const { card, own } = options
  const customer = yield* customerOf(options)
  if (customer === undefined) return noCustomer
  const shown = yield* own.card(card)
  const { exp_month, exp_year, last4 } = shown._tag === "Card" ? shown : noLook
  if (last4 === null || exp_month === null || exp_year === null) {
    return expected(`the card ${card} with last4, exp_month and exp_year`, shown)
  }
  // A card that stands for many is attached as a copy with an id of its own.
  let id = card
  for (const time of ["first", "second"]) {
    const attached: Effect.Success<ReturnType<CardProvider["attach"]>> = yield* own.attach(id, customer)
    if (attached._tag !== "Card" || attached.customer !== customer || (time === "second" && attached.id !== id)) {
      return expected(`the card with the customer ${customer} from the ${time} attach`, attached)
    }
    id = attached.id
  }
  for (const time of ["first", "second"]) {
    const detached = yield* own.detach(id, customer)
    if (detached._tag !== "Card" || detached.customer !== null) {
      return expected(`the card without a customer from the ${time} detach`, detached)
    }
  }
  return undefined
})

/** Returns an order of the customer of this run, who has the card; or what is wrong. */
const orderOf = Effect.fnUntraced(function* (
  options: CardCheckOptions,
  name: string,
  card: string
): Effect.fn.Return<CardOrder | string> {
  const customer = yield* customerOf(options)
  if (customer === undefined) return noCustomer
  const attached = yield* options.own.attach(card, customer)
  if (attached._tag !== "Card") return expected(`the card ${card} at its attach`, attached)
  return {
    external_id: `${options.id}.${name}`,
    customer,
    payment_method: attached.id,
    amount_centavos: amount,
    off_session: false,
    return_url: "https://carteiro.invalid/back"
  }
})

const oneCharge = Effect.fnUntraced(function* (options: CardCheckOptions): Effect.fn.Return<string | undefined> {
  const { own } = options
  const order = yield* orderOf(options, "charge", options.card)
  if (typeof order === "string") return order
  const first = yield* own.charge(order)
  if (first._tag !== "Charge" || (first.status !== "succeeded" && first.status !== "processing")) {
    return expected("a charge that succeeded or is processing", first)
  }
  const again = yield* own.charge(order)
  if (again._tag !== "Charge" || again.id !== first.id) {
    return expected(`the charge ${first.id} for the same id again`, again)
  }
  const seen = [yield* own.chargeById(first.id), yield* own.chargeOf(order.external_id, { ...order, ordered_at: 0 })]
  for (const charge of [first, ...seen]) {
    const isSame =
      charge._tag === "Charge" &&
      charge.id === first.id &&
      charge.external_id === order.external_id &&
      charge.customer === order.customer &&
      charge.amount_centavos === amount
    if (!isSame) {
      return expected(
        `the charge ${first.id} of ${order.external_id}, ${order.customer} and ${amount} centavos`,
        charge
      )
    }
  }
  return undefined
})

/** True when nothing was charged, and the reason of the cardholder's bank is known. */
const isDeclined = (answer: Effect.Success<ReturnType<CardProvider["charge"]>>): boolean =>
  (answer._tag === "Refused" || (answer._tag === "Charge" && answer.status === "failed")) &&
  answer.decline_code !== null

const oneDecline = Effect.fnUntraced(function* (options: CardCheckOptions): Effect.fn.Return<string | undefined> {
  const order = yield* orderOf(options, "declined", options.declined)
  if (typeof order === "string") return order
  const answer = yield* options.own.charge(order)
  return isDeclined(answer) ? undefined : expected("a charge that failed, with its decline_code", answer)
})

const oneAuthentication = Effect.fnUntraced(function* (
  options: CardCheckOptions
): Effect.fn.Return<string | undefined> {
  const order = yield* orderOf(options, "authenticated", options.authenticated)
  if (typeof order === "string") return order
  const waits = yield* options.own.charge(order)
  if (waits._tag !== "Charge" || waits.status !== "requires_action" || waits.client_secret === null) {
    return expected("requires_action with a client_secret", waits)
  }
  const away = yield* options.own.charge({ ...order, external_id: `${order.external_id}.away`, off_session: true })
  return isDeclined(away) ? undefined : expected("a charge off session that failed, with its decline_code", away)
})

const noCard = Effect.fnUntraced(function* (options: CardCheckOptions): Effect.fn.Return<string | undefined> {
  const order = yield* orderOf(options, "detached", options.card)
  if (typeof order === "string") return order
  const detached = yield* options.own.detach(order.payment_method, order.customer)
  if (detached._tag !== "Card") return expected("the card without a customer", detached)
  const answer = yield* options.own.charge(order)
  const isCharged = answer._tag !== "Refused" && !(answer._tag === "Charge" && answer.status === "failed")
  return isCharged ? expected("a refusal", answer) : undefined
})
