import { Commit } from "@carteiro/owners/Commit.ts"
import { defineWorker } from "@carteiro/owners/Worker.ts"
import { NumprovWebhooks } from "@carteiro/provider/NumberProvider.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect } from "effect"
import { NumberDirectory, numberChanges } from "../../phone-numbers/PhoneNumbers.ts"
import { OrderReads, orderChanges, orderIdOf } from "../../phone-orders/PhoneOrders.ts"
import { bridgeWebhooks } from "../../vendor-webhooks/ProviderWebhooks.ts"
import { type ToldCall, vendorOwners } from "../../vendor-webhooks/VendorOwners.ts"
import { verificationCodeOf } from "./VerificationCode.ts"

/**
 * The owner of the number provider's notices about one account there: our own, by the name `platform`, or a
 * connection's.
 */
export const NumprovNoticesWorker = defineWorker("NumprovNotices")

/**
 * Hosts the owners. The code of a text message is stored with its number, because it cannot be requested again; every
 * other notice only wakes the owner that waits for it. vendor-wires "numprov"
 */
export const numprovNoticesOwners = vendorOwners(
  NumprovNoticesWorker,
  Effect.gen(function* () {
    const numbers = yield* NumberDirectory
    const orders = yield* OrderReads
    const commit = yield* Commit
    const scheme = (yield* NumprovWebhooks) ?? bridgeWebhooks

    const write = (rows: ReadonlyArray<Row>) =>
      rows.length === 0 ? Effect.void : Effect.asVoid(Effect.orDie(commit.write(rows)))

    /**
     * Returns the wake-up of an order by the name that we gave it: the order's id, with or without a count behind it,
     * or its number's id.
     */
    const orderRows = Effect.fnUntraced(function* (name: string, due_at: number) {
      const order = yield* name.startsWith("pno_") ? orders.findAnywhere(orderIdOf(name)) : orders.ofNumber(name)
      if (order === undefined) return []
      const { environment_id, id, phone_number_id } = order
      return [orderChanges.hasten({ environment_id, id, phone_number_id, due_at })]
    })

    /** Stores the code of a message; when the number is not known here yet, the notice is retried. */
    const tellMessage = Effect.fnUntraced(function* (account: string, message: SmsReceived, at: number) {
      const code = verificationCodeOf(message.text)
      if (code === undefined) return undefined
      const number = yield* numbers.ofNumprov(account, message.number_id)
      if (number === undefined) return "again"
      if (message.to !== undefined && number.phone !== null && message.to !== number.phone) return undefined
      const { environment_id, id } = number
      const received = numberChanges.receiveCode({
        environment_id,
        id,
        verification_code: code,
        verification_code_received_at: at
      })
      return yield* write([received, ...(yield* orderRows(id, at))])
    })

    return Effect.fnUntraced(function* ({ body, received_at, subject }: ToldCall) {
      const { data, type } = scheme.read(body)
      const message = type === "sms.received" ? smsOf(data) : undefined
      if (message !== undefined) return yield* tellMessage(subject, message, received_at)
      const { external_id } = data
      if (type !== "order.updated" || subject !== "platform" || typeof external_id !== "string") return undefined
      return yield* write(yield* orderRows(external_id, received_at))
    })
  })
)

/** A text message that a number of the provider received. */
interface SmsReceived {
  readonly number_id: string
  readonly to: string | undefined
  readonly text: string
}

const smsOf = ({ number_id, text, to }: Readonly<Record<string, unknown>>): SmsReceived | undefined =>
  typeof number_id === "string" && typeof text === "string"
    ? { number_id, text, to: typeof to === "string" ? to : undefined }
    : undefined
