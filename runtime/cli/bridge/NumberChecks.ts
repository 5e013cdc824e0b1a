import type { NumberAccount, NumberCall, NumberProvider } from "@carteiro/provider/NumberProvider.ts"
import { Effect, Redacted } from "effect"
import { type BridgeCheck, shown } from "./BridgeCheck.ts"

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
      run: Effect.map(account.read, (call) => doneOr(call, () => undefined))
    },
    {
      promise: "another key is refused with credentials_invalid",
      writes: false,
      run: Effect.map(provider.of(wrongKey).read, (call) =>
        call._tag === "Refused" && call.code === "credentials_invalid" ? undefined : shown(call)
      )
    },
    {
      promise: "GET /v1/available lists numbers of the area code that was asked for",
      writes: false,
      run: Effect.map(account.available(ddd, 3), (call) =>
        doneOr(call, (numbers) => {
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
        doneOr(call, (order) => (order === null ? undefined : shown(order)))
      )
    },
    {
      promise: "an order is made once for an id, is found by it, is delivered, and its number is given back twice",
      writes: true,
      run: oneOrder(account, id, ddd)
    }
  ]
}

const doneOr = <A>(call: NumberCall<A>, judge: (value: A) => string | undefined): string | undefined =>
  call._tag === "Done" ? judge(call.value) : shown(call)

/** An inventory of more pages is not read to its end. */
const mostPages = 200

const wholeInventory = Effect.fnUntraced(function* (account: NumberAccount): Effect.fn.Return<string | undefined> {
  const seen = new Set<string>()
  let cursor: string | null = null
  for (let page = 0; page < mostPages; page++) {
    const call: Effect.Success<ReturnType<NumberAccount["numbers"]>> = yield* account.numbers(cursor)
    if (call._tag !== "Done") return shown(call)
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
  if (first._tag !== "Done") return `the order was answered ${shown(first)}`
  const second = yield* account.order({ external_id, ddd })
  if (second._tag !== "Done" || second.value.id !== first.value.id) {
    return `the same order again was answered ${shown(second)}, and should be ${first.value.id}`
  }
  const found = yield* account.findOrder(external_id)
  if (found._tag !== "Done" || found.value?.id !== first.value.id) return `it was looked up as ${shown(found)}`
  for (let look = 0; look < mostLooks; look++) {
    const read = yield* account.orderById(first.value.id)
    if (read._tag !== "Done") return `it was read as ${shown(read)}`
    const { number, number_id, status } = read.value
    if (status === "failed") return `it failed: ${shown(read.value)}`
    if (status === "pending") {
      yield* Effect.sleep(pauseMs)
      continue
    }
    if (number_id === null || number?.startsWith(`+55${ddd}`) !== true) return `it is active as ${shown(read.value)}`
    for (const time of ["first", "second"]) {
      const released = yield* account.release(number_id)
      if (released._tag !== "Done") return `the ${time} release was answered ${shown(released)}`
    }
    return undefined
  }
  return "it was not delivered within a minute"
})
