import type { PlatformAccount } from "@carteiro/provider/ChatPlatform.ts"
import type { NumberRegistrar, RegisteredNumber } from "@carteiro/provider/NumberRegistration.ts"
import { Effect, Option } from "effect"
import { callAnswer, idOf, memberOf, succeeded } from "./UpstreamAnswers.ts"
import type { UpstreamCalls } from "./UpstreamCalls.ts"

const fields = "id,display_phone_number,code_verification_status,status"
/** The pages that are read before a number counts as missing. */
const mostPages = 20
const pageSize = "100"
/** The platform adds a number by country code and rest; every rented number is of this country. */
const country = "55"

/**
 * Numbers of one account: `/{biz_account_id}/phone_numbers`, `/{upstream_phone_number_id}/request_code`, `/verify_code`,
 * `/register`. docs/decisions/0033-number-registration.md
 */
export const upstreamRegistrar = (
  calls: UpstreamCalls,
  { biz_account_id, token }: PlatformAccount
): NumberRegistrar => {
  const at = (id: string, below: string) => `/${encodeURIComponent(id)}${below}`
  const ask = (id: string, below: string, json: object) =>
    Effect.map(calls.call({ method: "POST", path: at(id, below), token, json }), (result) =>
      callAnswer(result, succeeded)
    )
  const page = (after: string | undefined) =>
    Effect.map(
      calls.call({
        method: "GET",
        path: at(biz_account_id, "/phone_numbers"),
        token,
        query: { fields, limit: pageSize, ...(after === undefined ? {} : { after }) }
      }),
      (result) => callAnswer(result, pageOf)
    )
  return {
    find: Effect.fnUntraced(function* (phone) {
      let after: string | undefined
      for (let pages = 0; pages < mostPages; pages++) {
        const read = yield* page(after)
        if (read._tag !== "Done") return read
        const found = read.value.numbers.find(({ digits }) => digits === digitsOf(phone))
        if (found !== undefined) return { _tag: "Done", value: found.number } as const
        after = read.value.next
        if (after === undefined) return { _tag: "Done", value: null } as const
      }
      return { _tag: "Failed", error: null } as const
    }),
    add: ({ display_name, phone }) =>
      Effect.map(
        calls.call({
          method: "POST",
          path: at(biz_account_id, "/phone_numbers"),
          token,
          json: { cc: country, phone_number: digitsOf(phone).slice(country.length), verified_name: display_name }
        }),
        (result) =>
          callAnswer(result, (json) =>
            Option.map(idOf(json), (upstream_phone_number_id) => ({ upstream_phone_number_id }))
          )
      ),
    requestCode: (id) => ask(id, "/request_code", { code_method: "SMS", language: "pt_BR" }),
    verifyCode: (id, code) => ask(id, "/verify_code", { code }),
    register: (id, pin) => ask(id, "/register", { messaging_product: calls.options.messagingProduct, pin })
  }
}

interface NumbersPage {
  readonly numbers: ReadonlyArray<{ readonly digits: string; readonly number: RegisteredNumber }>
  readonly next: string | undefined
}

const pageOf = (json: unknown): Option.Option<NumbersPage> => {
  const data = memberOf(json, "data")
  if (!Array.isArray(data)) return Option.none()
  const paging = memberOf(json, "paging")
  const after = memberOf(memberOf(paging, "cursors"), "after")
  return Option.some({
    numbers: data.flatMap((one) =>
      Option.match(idOf(one), {
        onNone: () => [],
        onSome: (upstream_phone_number_id) => [
          {
            digits: digitsOf(String(memberOf(one, "display_phone_number") ?? "")),
            number: {
              upstream_phone_number_id,
              is_verified: memberOf(one, "code_verification_status") === "VERIFIED",
              is_registered: memberOf(one, "status") === "CONNECTED"
            }
          }
        ]
      })
    ),
    next: memberOf(paging, "next") !== undefined && typeof after === "string" ? after : undefined
  })
}

const digitsOf = (phone: string): string => phone.replace(/\D/g, "")
