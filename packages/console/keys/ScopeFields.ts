import { KeyScope } from "@carteiro/schema/conventions/Access.ts"
import { type Html, html } from "../kit/Html.ts"
import { type Label, say } from "../kit/Language.ts"
import { badge, checkbox } from "../kit/Parts.ts"

type Resource = KeyScope extends `${infer Name}:${string}` ? Name : never

/** The group of each resource: a scope without one does not compile. */
const groupOf = {
  messages: "messaging",
  templates: "messaging",
  contacts: "messaging",
  groups: "messaging",
  payments: "money",
  billing: "money",
  phone_numbers: "numbers",
  provider_connections: "numbers",
  projects: "development",
  webhooks: "development",
  logs: "development",
  sandbox: "development",
  api_keys: "development"
} as const satisfies Record<Resource, string>

type Group = (typeof groupOf)[Resource]

const groups: ReadonlyArray<readonly [Group, Label]> = [
  ["messaging", "Messages and customers"],
  ["money", "Money"],
  ["numbers", "Numbers and connections"],
  ["development", "Developers"]
]

const resourceOf = (scope: KeyScope): Resource => scope.slice(0, scope.indexOf(":")) as Resource

/** Sets of scopes that a button ticks, which sends the form so that it works without a script and keeps what was typed. */
const presets: ReadonlyArray<readonly [name: string, label: Label, has: (scope: KeyScope) => boolean]> = [
  ["reading", "Read only", (scope) => scope.endsWith(":read")],
  [
    "messaging",
    "Messaging",
    (scope) =>
      groupOf[resourceOf(scope)] === "messaging" ||
      ["phone_numbers:read", "webhooks:read", "webhooks:write", "logs:read", "sandbox:write"].includes(scope)
  ],
  ["everything", "Everything", () => true]
]

/** Returns the scopes of a preset; none for any other name. */
export const presetScopes = (name: string | undefined): ReadonlyArray<KeyScope> => {
  const [, , has] = presets.find(([one]) => one === name) ?? []
  return has === undefined ? [] : KeyScope.literals.filter(has)
}

/** A box for every scope of the catalog, by group. `api_keys:admin` can be granted nowhere else. */
export const scopeFields = (
  address: string,
  ticked: ReadonlyArray<string>
): Html => html`<fieldset><legend>Scopes</legend>
<p class="hint">Writing does not include reading. Without any scope a key can read its account and send feedback.</p>
<p class="buttons">Tick at once: ${presets.map(
  ([name, label]) =>
    html`<button name="preset" value="${name}" formaction="${address}#create" formnovalidate>${say(label)}</button> `
)}</p>
${groups.map(
  ([group, label]) =>
    html`<h3>${say(label)}</h3><div class="ticks">${KeyScope.literals
      .filter((scope) => groupOf[resourceOf(scope)] === group)
      .map((scope) =>
        checkbox(
          "scopes",
          scope,
          scope === "api_keys:admin"
            ? html`<code>${scope}</code> ${badge("makes keys", "warn")}`
            : html`<code>${scope}</code>`,
          ticked.includes(scope)
        )
      )}</div>`
)}</fieldset>`
