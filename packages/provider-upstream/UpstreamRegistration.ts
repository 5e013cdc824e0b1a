import type { PlatformAccount } from "@carteiro/provider/ChatPlatform.ts"
import type { ChatCall } from "@carteiro/provider/ChatProvider.ts"
import type { NumberRegistrar, RegisteredNumber } from "@carteiro/provider/NumberRegistration.ts"
import { matchKey } from "@carteiro/schema/messages/Vocabulary.ts"
import { Effect, Option } from "effect"
import { callAnswer, idOf, succeeded } from "./UpstreamAnswers.ts"
import type { UpstreamCalls } from "./UpstreamCalls.ts"
import { memberOf } from "./UpstreamJson.ts"
import { upstreamPages } from "./UpstreamPages.ts"

const fields = "id,display_phone_number,code_verification_status,status"
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
  return {
    find: (phone) =>
      Effect.map(
        upstreamPages(calls, { path: at(biz_account_id, "/phone_numbers"), token, fields }, numberOf),
        (listed): ChatCall<RegisteredNumber | null> => {
          if (listed._tag !== "Done") return listed
          const known = listed.value.find(({ key }) => key === matchKey(digitsOf(phone)))
          return { _tag: "Done", value: known?.number ?? null }
        }
      ),
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

const numberOf = (json: unknown) =>
  Option.match(idOf(json), {
    onNone: () => [],
    onSome: (upstream_phone_number_id) => [
      {
        // The platform spells some Brazilian numbers without their ninth digit. U-CON-08
        key: matchKey(digitsOf(String(memberOf(json, "display_phone_number") ?? ""))),
        number: {
          upstream_phone_number_id,
          is_verified: memberOf(json, "code_verification_status") === "VERIFIED",
          is_registered: memberOf(json, "status") === "CONNECTED"
        }
      }
    ]
  })

const digitsOf = (phone: string): string => phone.replace(/\D/g, "")
