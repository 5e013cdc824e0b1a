import type { NumberAccount, NumberCall, NumberProvider } from "@carteiro/provider/NumberProvider.ts"
import { Effect, Redacted } from "effect"
import { type BridgeCheck, expected } from "./BridgeCheck.ts"

/** Key and names of one run: `id` makes them those of no other run. */
export interface NumberCheckOptions {
  readonly key: Redacted.Redacted
  readonly ddd: string
  readonly id: string
}

const wrongKey = Redacted.make("carteiro-bridge-check-wrong-key")

/** The promises of vendor-wires "numprov" that can be seen from outside. */
export const numberChecks = (
  provider: NumberProvider,
  { ddd, id, key }: NumberCheckOptions
): ReadonlyArray<BridgeCheck> => {
  const account = provider.of(key)
  return [
    {
      promise: "GET /v1/account names the account of a key",
      writes: false,
      run: Effect.map(account.read, (call) => doneOr("the account's `id` and `name`", call, () => undefined))
    },
    {
      promise: "another key is refused with credentials_invalid",
      writes: false,
      run: Effect.map(provider.of(wrongKey).read, (call) =>
        call._tag === "Refused" && call.code === "credentials_invalid"
          ? undefined
          : expected("the refusal credentials_invalid", call)
      )
    },
    {
      promise: "GET /v1/available lists numbers of the area code that was asked for",
      writes: false,
      run: Effect.map(account.available(ddd, 3), (call) =>
        doneOr("a list of numbers", call, (numbers) => {
          const other = numbers.find(({ number }) => !number.startsWith(`+55${ddd}`))
          return other === undefined ? undefined : `${other.number} is no number of ${ddd}`
        })
      )
    },
    { promise: "GET /v1/numbers ends, and shows each number once", writes: false, run: wholeInventory(account) },
    {
      promise: "GET /v1/orders?external_id= of an id that was never used is an empty list",
      writes: false,
      run: Effect.map(account.findOrder(`${id}.never`), (call) =>
        doneOr("an empty list", call, (order) => (order === null ? undefined : expected("an empty list", order)))
      )
    },
    {
      promise: "an order is made once for an id, is found by it, is delivered, and its number is given back twice",
      writes: true,
      run: oneOrder(account, id, ddd)
    }
  ]
}

const doneOr = <A>(what: string, call: NumberCall<A>, judge: (value: A) => string | undefined): string | undefined =>
  call._tag === "Done" ? judge(call.value) : expected(what, call)

/** An inventory of more pages is not read to its end. */
const mostPages = 200

const wholeInventory = Effect.fnUntraced(function* (account: NumberAccount): Effect.fn.Return<string | undefined> {
  const seen = new Set<string>()
  let cursor: string | null = null
  for (let page = 0; page < mostPages; page++) {
    const call: Effect.Success<ReturnType<NumberAccount["numbers"]>> = yield* account.numbers(cursor)
    if (call._tag !== "Done") return expected("a page of numbers", call)
    for (const { number_id } of call.value.numbers) {
      if (seen.has(number_id)) return `${number_id} is on two pages`
      seen.add(number_id)
    }
    cursor = call.value.next
    if (cursor === null) return undefined
  }
  return `there are more than ${mostPages} pages`
})

/** The pause between two looks at an order, in milliseconds, and their number. */
const pauseMs = 2000
const mostLooks = 30

const oneOrder = Effect.fnUntraced(function* (
  account: NumberAccount,
  external_id: string,
  ddd: string
): Effect.fn.Return<string | undefined> {
  const first = yield* account.order({ external_id, ddd })
  if (first._tag !== "Done") return expected("an order", first)
  const second = yield* account.order({ external_id, ddd })
  if (second._tag !== "Done" || second.value.id !== first.value.id) {
    return expected(`the order ${first.value.id} for the same id again`, second)
  }
  const found = yield* account.findOrder(external_id)
  if (found._tag !== "Done" || found.value?.id !== first.value.id) {
    return expected(`the order ${first.value.id} in the list of its external_id`, found)
  }
  for (let look = 0; look < mostLooks; look++) {
    const read = yield* account.orderById(first.value.id)
    if (read._tag !== "Done") return expected("the order by its id", read)
    const { number, number_id, status } = read.value
    if (status === "failed") return expected("an order that is delivered", read.value)
    if (status === "pending") {
      yield* Effect.sleep(pauseMs)
      continue
    }
    if (number_id === null || number?.startsWith(`+55${ddd}`) !== true) {
      return expected(`an active order with its number_id and a number of ${ddd}`, read.value)
    }
    for (const time of ["first", "second"]) {
      const released = yield* account.release(number_id)
      if (released._tag !== "Done") return expected(`a success of the ${time} release`, released)
    }
    return undefined
  }
  return "it was not delivered within a minute"
})
