import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type {
  NumprovConnection,
  NumprovOperation,
  NumprovResource
} from "@carteiro/schema/provider-connections/NumprovConnection.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { type Label, say, statusWord } from "../kit/Language.ts"
import { addressOf } from "../kit/Lists.ts"
import type { Visit } from "../kit/Pages.ts"
import { badge, form, input, instant, none, notice, personText, type Table, type Tone, table } from "../kit/Parts.ts"
import { phoneText } from "../kit/PhoneText.ts"
import { refusalText } from "../kit/RefusalTexts.ts"

export const numberAccountsAddress = "/dashboard/number-accounts"

/** Where one account is shown. */
export const numberAccountAddress = (environmentId: string, id: string): string =>
  `${numberAccountsAddress}/${environmentId}/${id}`

const tones: Readonly<Record<NumprovConnection["status"], Tone>> = {
  pending: "info",
  connected: "good",
  failed: "bad",
  disconnected: "plain"
}

/** Where an account stands. */
export const accountBadge = (status: NumprovConnection["status"]): Html =>
  badge(statusWord("account", status), tones[status])

/** Shows the accounts of an environment, each leading to its page. */
export const accountTable = (environmentId: string, rows: ReadonlyArray<NumprovConnection>, nothing: Piece): Table =>
  table(
    "Accounts of your own, newest first",
    ["Name", "Account", "Status", "Numbers listed", "Since"],
    rows.map((row) => [
      personText(html`<a href="${numberAccountAddress(environmentId, row.id)}">${row.display_name}</a>`),
      html`<code>${row.account_id}</code>`,
      accountBadge(row.status),
      instant(row.last_discovered_at),
      instant(row.created_at)
    ]),
    nothing
  )

/** Why an operation at the provider failed, and what to do. */
const failures: Readonly<Record<NonNullable<NumprovOperation["error_code"]>, Label>> = {
  numprov_credentials_invalid: "The provider refuses this key for this account. Copy both again from its pages.",
  numprov_provider_unavailable: "The provider gave no answer. Try again later.",
  numprov_connection_unavailable: "The account was disconnected meanwhile."
}

/** Returns what a person has to know of the latest operation of an account; undefined where it succeeded. */
export const troubleOf = ({ latest_operation: latest, status }: NumprovConnection): Html | undefined =>
  latest?.status !== "failed" || latest.error_code === null || status === "disconnected"
    ? undefined
    : notice(
        "bad",
        html`${say(failures[latest.error_code])}${status === "failed" && html` This account was not connected: add it again.`}`
      )

/** A number of an account that is here already, by its phone. */
export type KnownNumbers = ReadonlyMap<string, { readonly id: string }>

/** Shows the numbers of an account as they were last listed; `connectAt` returns the form that connects one. */
export const inventoryTable = (
  environmentId: string,
  numbers: ReadonlyArray<NumprovResource>,
  known: KnownNumbers,
  connectAt: ((number: NumprovResource) => string) | undefined
): Table =>
  table(
    "Numbers of the account",
    ["Number", "Status", "Text messages", "Listed", "Here"],
    numbers.map((number) => [
      phoneText(number.phone),
      badge(statusWord("number", number.status), number.status === "active" ? "good" : "warn"),
      number.sms ? say("receives them") : say("calls only"),
      instant(number.observed_at),
      hereOf(environmentId, number, known, connectAt)
    ]),
    say("None is listed.")
  )

const hereOf = (
  environmentId: string,
  number: NumprovResource,
  known: KnownNumbers,
  connectAt: ((number: NumprovResource) => string) | undefined
): Piece => {
  const own = known.get(number.phone)
  if (own !== undefined) {
    return html`<a href="${addressOf(`/dashboard/phone-numbers/${environmentId}/${own.id}`, {})}">Connected</a>`
  }
  return connectAt === undefined || number.status !== "active"
    ? none("not connected")
    : html`<a class="button" href="${connectAt(number)}">Connect</a>`
}

/** The fields of a key: at once with a new account, and when it is changed. */
const keyFields = (refusal: ApiError | undefined): Html =>
  html`${input({
    name: "api_key",
    label: "API key",
    type: "password",
    required: true,
    maxLength: 4096,
    plain: true,
    error: errorOf(refusal, "api_key")
  })}${input({
    name: "webhook_secret",
    label: "Webhook secret",
    hint: say("Proves the provider's calls about this account. Without it nothing is heard of text messages."),
    type: "password",
    maxLength: 1024,
    plain: true,
    error: errorOf(refusal, "webhook_secret")
  })}`

/** Returns the sentence of a refusal that is about a field. */
const errorOf = (refusal: ApiError | undefined, name: string): Html | undefined =>
  refusal?.param === name ? refusalText(refusal) : undefined

/** Returns a refusal that is about none of these fields. */
const otherRefusal = (refusal: ApiError | undefined, fields: ReadonlyArray<string>): Html | undefined =>
  refusal === undefined || fields.includes(refusal.param ?? "") ? undefined : notice("bad", refusalText(refusal))

/** The form that adds an account; what was typed into its secrets is never shown again. */
export const newAccount = (
  visit: Visit,
  environmentId: string,
  typed: { readonly display_name: string; readonly account_id: string },
  refusal?: ApiError
): Html =>
  html`<section class="card" aria-labelledby="new"><h2 id="new">Add an account of your own</h2>
<p>Its numbers are listed once the provider accepts the key. An environment has one account at a time.</p>
${otherRefusal(refusal, ["display_name", "account_id", "api_key", "webhook_secret"])}
${form(
  `${numberAccountsAddress}/${environmentId}`,
  visit.csrf,
  html`${input({
    name: "display_name",
    label: "What you call it",
    value: typed.display_name,
    required: true,
    maxLength: 255,
    error: errorOf(refusal, "display_name")
  })}${input({
    name: "account_id",
    label: "Account id",
    hint: say("Id of the account at the provider."),
    value: typed.account_id,
    required: true,
    maxLength: 255,
    plain: true,
    error: errorOf(refusal, "account_id")
  })}${keyFields(refusal)}<div class="buttons"><button class="primary">Add the account</button></div>`
)}</section>`

/** The form that replaces the key of the account at this address of the console. */
export const newKey = (visit: Visit, account: string, refusal?: ApiError): Html =>
  html`<section class="card" aria-labelledby="key"><h2 id="key">Change the key</h2>
<p>The new key replaces the present one once the provider accepts it.</p>
${otherRefusal(refusal, ["api_key", "webhook_secret"])}
${form(
  `${account}/key`,
  visit.csrf,
  html`${keyFields(refusal)}<div class="buttons"><button>Change the key</button></div>`
)}</section>`

/** The form that connects a number of an account, which is a step with terms. */
export const connectForm = (
  visit: Visit,
  options: {
    readonly here: string
    readonly number: NumprovResource
    readonly after: string | undefined
    readonly typed: { readonly display_name: string; readonly upstream_phone_number_id: string }
    readonly refusal: ApiError | undefined
  }
): Html => {
  const { after, here, number, refusal, typed } = options
  return html`<div class="card narrow">
<p>Connects ${phoneText(number.phone)} to this environment. It stays in your account at the provider, which goes on billing it; its management here is charged by the month, or covered by a plan.</p>
${otherRefusal(refusal, ["display_name", "upstream_phone_number_id"])}
${form(
  `${here}/connect`,
  visit.csrf,
  html`<input type="hidden" name="number" value="${number.id}">${after !== undefined && html`<input type="hidden" name="after" value="${after}">`}${input(
    {
      name: "display_name",
      label: "Display name",
      hint: say("What your customers read."),
      value: typed.display_name,
      required: true,
      maxLength: 255,
      error: errorOf(refusal, "display_name")
    }
  )}${input({
    name: "upstream_phone_number_id",
    label: "Phone number id",
    hint: say("The platform's id, if the number is registered there already."),
    value: typed.upstream_phone_number_id,
    maxLength: 64,
    plain: true,
    error: errorOf(refusal, "upstream_phone_number_id")
  })}<label class="tick"><input type="checkbox" name="terms" value="numprov_byok_v1" required> <span>I accept the terms <code>numprov_byok_v1</code>.</span></label>
<div class="buttons"><button class="primary">Connect the number</button><a class="button" href="${here}">Go back</a></div>`
)}</div>`
}
