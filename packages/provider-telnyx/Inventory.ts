import type { InventoryNumber, InventoryPage, NumberAccount, NumberCall } from "@carteiro/provider/NumberProvider.ts"
import { memberOf } from "@carteiro/vendor-http/VendorAnswers.ts"
import { Effect } from "effect"
import type { Client } from "./Client.ts"
import { ask, entriesOf } from "./NumberCalls.ts"

const pageSize = 100

/**
 * Returns the organization that a key belongs to: by `GET /v2/whoami`, which the vendor's description leaves out, and where it is not
 * there by the owner of a messaging profile. An account without a profile receives no verification code, so it is refused then.
 */
export const readAccount = (client: Client): NumberAccount["read"] =>
  Effect.flatMap(whoAmI(client), (call) =>
    call._tag === "Refused" && call.code === "not_found" ? ownerOfProfile(client) : Effect.succeed(call)
  )

type AccountCall = NumberCall<{ readonly id: string; readonly name: string }>

const whoAmI = (client: Client): Effect.Effect<AccountCall> =>
  ask(
    client,
    (telnyx, signal) => telnyx.get("/whoami", { signal }),
    (answer) => {
      const data = memberOf(answer, "data")
      const [id, name] = [memberOf(data, "organization_id"), memberOf(data, "organization_name")]
      if (typeof id !== "string" || id === "") return undefined
      return { id, name: typeof name === "string" ? name : "" }
    }
  )

/** `GET /v2/messaging_profiles` */
const ownerOfProfile = (client: Client): Effect.Effect<AccountCall> =>
  Effect.map(
    ask(
      client,
      (telnyx, signal) => telnyx.messagingProfiles.list({ "page[size]": 1 }, { signal }),
      (page) => {
        const profiles = entriesOf(page)
        if (profiles === undefined) return undefined
        const [profile] = profiles
        const id = profile?.organization_id ?? ""
        return id === "" ? null : { id, name: profile?.name ?? "" }
      }
    ),
    (call): AccountCall => {
      if (call._tag !== "Done") return call
      return call.value === null
        ? { _tag: "Refused", code: "messaging_profile_missing" }
        : { _tag: "Done", value: call.value }
    }
  )

/** One page of `GET /v2/phone_numbers`, and what each number of it can receive by `GET /v2/phone_numbers/messaging`. */
export const readNumbers =
  (client: Client): NumberAccount["numbers"] =>
  (cursor) =>
    Effect.gen(function* (): Effect.fn.Return<NumberCall<InventoryPage>> {
      const page = Number(cursor ?? 1)
      const listed = yield* ask(
        client,
        (telnyx, signal) => telnyx.phoneNumbers.list({ "page[number]": page, "page[size]": pageSize }, { signal }),
        (listing) => {
          const data = entriesOf(listing)
          return (
            data && {
              data: data.map(({ phone_number, status }) => ({ phone_number, status })),
              pages: listing.meta.total_pages
            }
          )
        }
      )
      if (listed._tag !== "Done") return listed
      const next = page < listed.value.pages && listed.value.data.length > 0 ? String(page + 1) : null
      const phones = listed.value.data.map(({ phone_number }) => phone_number)
      if (phones.length === 0) return { _tag: "Done", value: { numbers: [], next } }
      const able = yield* withMessages(client, phones)
      if (able._tag !== "Done") return able
      const numbers = listed.value.data.flatMap((one) => inventoryOf(one, able.value))
      return { _tag: "Done", value: { numbers, next } }
    })

/** Returns those of the numbers that receive text messages. */
const withMessages = (
  client: Client,
  phones: ReadonlyArray<string>
): Effect.Effect<NumberCall<ReadonlyArray<string>>> =>
  ask(
    client,
    (telnyx, signal) =>
      telnyx.phoneNumbers.messaging.list(
        { "filter[phone_number]": phones.join(","), "page[size]": pageSize },
        { signal }
      ),
    (page) =>
      entriesOf(page)?.flatMap(({ features, phone_number }) => {
        const sms = features?.sms
        const receives = sms?.domestic_two_way === true || sms?.international_inbound === true
        return receives && phone_number !== undefined ? [phone_number] : []
      })
  )

/** Statuses of numbers that the account does not have, or not any more. */
const gone: ReadonlySet<string> = new Set(["deleted", "ported-out"])
const neverHad: ReadonlySet<string> = new Set(["purchase-failed", "port-failed"])

const inventoryOf = (
  { phone_number, status }: { readonly phone_number: string; readonly status: string },
  able: ReadonlyArray<string>
): ReadonlyArray<InventoryNumber> =>
  neverHad.has(status)
    ? []
    : [
        {
          number_id: phone_number,
          number: phone_number,
          status: status === "active" ? "active" : gone.has(status) ? "released" : "suspended",
          sms: able.includes(phone_number)
        }
      ]

/**
 * Gives a number back: finds the vendor's id of it, then `DELETE /v2/phone_numbers/{id}`. The filter takes parts of numbers, so the number
 * is compared; a number that the account does not have is given back already.
 */
export const releaseNumber =
  (client: Client): NumberAccount["release"] =>
  (numberId) =>
    Effect.gen(function* (): Effect.fn.Return<NumberCall<void>> {
      const found = yield* ask(
        client,
        (telnyx, signal) =>
          telnyx.phoneNumbers.list({ filter: { phone_number: numberId.replace(/\D/g, "") } }, { signal }),
        (page) => {
          const listed = entriesOf(page)
          if (listed === undefined) return undefined
          return listed.find(({ phone_number, status }) => phone_number === numberId && !gone.has(status))?.id ?? null
        }
      )
      if (found._tag !== "Done") return found
      const id = found.value
      if (id === null) return { _tag: "Done", value: undefined }
      const deleted = yield* ask(
        client,
        (telnyx, signal) => telnyx.phoneNumbers.delete(id, { signal }),
        () => null
      )
      const isGone = deleted._tag === "Done" || (deleted._tag === "Refused" && deleted.code === "not_found")
      return isGone ? { _tag: "Done", value: undefined } : deleted
    })
