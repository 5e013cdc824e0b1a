import { Outbound } from "@carteiro/outbound/Outbound.ts"
import { isSameBase } from "@carteiro/outbound/Targets.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { InvalidSetupSessionRequest } from "@carteiro/schema/provider-connections/SetupSessionErrors.ts"
import { Context, Effect } from "effect"

/** The operator's base URL of Pix provider 1; undefined when none is set. */
export const OperatorsAgenticUrl = Context.Reference<string | undefined>(
  "@carteiro/runtime/provider-connections/setup/OperatorsAgenticUrl",
  { defaultValue: () => undefined }
)

/**
 * Refuses a tenant's base URL that may not be dialled. A URL that equals the operator's own is dialled as the
 * operator's, also on a private network. A sandbox dials none, so its name is not resolved. gaps-1 J "Unsafe
 * destinations"
 */
export const makeVetAgenticUrl = Effect.gen(function* () {
  const outbound = yield* Outbound
  const operators = yield* OperatorsAgenticUrl
  return Effect.fnUntraced(function* (text: string | undefined, environment: EnvironmentKind) {
    if (text === undefined || (operators !== undefined && isSameBase(text, operators))) return
    const verdict = environment === "sandbox" ? outbound.check(text) : yield* outbound.vet(text)
    if (verdict !== "ok" || URL.parse(text)?.search !== "") {
      return yield* new InvalidSetupSessionRequest({ param: "credentials.agentic_api_base_url", message: advice })
    }
  })
})

const advice =
  "agentic_api_base_url must be an https URL of a public host, without credentials, query and fragment, such as https://pix.example.com/api. Leave it out to use the provider's own address."
