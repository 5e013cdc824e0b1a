import { type Html, html, type Piece } from "./Html.ts"
import { icon } from "./Icons.ts"
import { type Label, languages, type Saying, say, translated } from "./Language.ts"
import { addressOf } from "./Lists.ts"

interface MenuEntry {
  readonly address: string
  readonly text: Saying
  /** The page is about one environment, and its link carries the environment of the page that is open. */
  readonly ofEnvironment?: true
}

/** The pages that the menu lists. A new page is registered here and named in one of the groups below. */
const sections = {
  overview: { address: "/dashboard", text: "Overview" },
  messages: { address: "/dashboard/messages", text: "Messages", ofEnvironment: true },
  chat: { address: "/dashboard/chat", text: "Chat", ofEnvironment: true },
  templates: { address: "/dashboard/templates", text: "Templates", ofEnvironment: true },
  flows: { address: "/dashboard/flows", text: "Flows", ofEnvironment: true },
  batches: { address: "/dashboard/batches", text: "Batches", ofEnvironment: true },
  contacts: { address: "/dashboard/contacts", text: "Contacts", ofEnvironment: true },
  media: { address: "/dashboard/media", text: "Media", ofEnvironment: true },
  numbers: { address: "/dashboard/phone-numbers", text: "Numbers", ofEnvironment: true },
  orders: { address: "/dashboard/phone-orders", text: "Number orders" },
  connections: { address: "/dashboard/connections", text: "Connections", ofEnvironment: true },
  groups: { address: "/dashboard/groups", text: "Groups", ofEnvironment: true },
  billing: { address: "/dashboard/billing", text: "Billing" },
  payments: { address: "/dashboard/payments", text: "Payments", ofEnvironment: true },
  agentic: { address: "/dashboard/agentic-authorizations", text: "Agentic", ofEnvironment: true },
  webhooks: { address: "/dashboard/webhooks", text: "Webhooks", ofEnvironment: true },
  events: { address: "/dashboard/events", text: "Events", ofEnvironment: true },
  logs: { address: "/dashboard/request-logs", text: "Request log", ofEnvironment: true },
  clock: { address: "/dashboard/sandbox-clock", text: "Sandbox clock", ofEnvironment: true },
  keys: { address: "/dashboard/api-keys", text: "API keys", ofEnvironment: true },
  device: { address: "/dashboard/device", text: "Devices" },
  projects: { address: "/dashboard/projects", text: "Projects" },
  members: { address: "/dashboard/members", text: "Members" },
  audit: { address: "/dashboard/audit", text: "Audit log" },
  emails: { address: "/dashboard/emails", text: "E-mails" },
  feedback: { address: "/dashboard/feedback", text: "Feedback", ofEnvironment: true }
} as const satisfies Readonly<Record<string, MenuEntry>>

/** A page of the menu. */
export type Section = keyof typeof sections

/** True for a section of the whole organization: its money and its people are real, whatever environment is looked at. */
export const isOfOrganization = (section: Section): boolean =>
  section !== "overview" && !("ofEnvironment" in sections[section])

const groups: ReadonlyArray<readonly [text: Saying, pages: ReadonlyArray<Section>]> = [
  ["Messaging", ["chat", "messages", "templates", "flows", "batches", "contacts", "media"]],
  ["Numbers", ["numbers", "orders", "connections", "groups"]],
  ["Money", ["billing", "payments", "agentic"]],
  ["Developers", ["webhooks", "events", "logs", "clock", "keys", "device"]],
  ["Settings", ["projects", "members", "audit", "emails", "feedback"]]
]

/** Returns the pages whose name holds what was typed. */
export const pagesNamed = (typed: string): ReadonlyArray<{ readonly name: Label; readonly address: string }> =>
  Object.values(sections)
    .filter(({ text }) =>
      languages.some((language) => translated(text, language).toLowerCase().includes(typed.toLowerCase()))
    )
    .map(({ address, text }) => ({ name: text, address }))

/** Returns where a section stands in an environment; a section of the whole organization keeps it in its address too. */
export const addressIn = (section: Section, environment: string | undefined): string =>
  addressOf(sections[section].address, { environment })

/** Returns the way to a page from its group: the group's name, the section, and the page one level up. */
export const crumbs = (
  section: Section | undefined,
  environment: string | undefined,
  up: readonly [address: string, text: Label] | undefined
): Html | undefined => {
  if (section === undefined && up === undefined) return undefined
  const { address, text, ofEnvironment }: Partial<MenuEntry> = section === undefined ? {} : sections[section]
  const group = groups.find(([, pages]) => section !== undefined && pages.includes(section))?.[0]
  const [above] = up?.[0].split("?") ?? []
  const steps = [
    group !== text && group,
    address &&
      up &&
      html`<a href="${addressOf(address, ofEnvironment ? { environment } : {})}">${text && say(text)}</a>`,
    up && above !== address && html`<a href="${up[0]}">${say(up[1])}</a>`
  ].filter((step) => step !== undefined && step !== false && step !== "")
  return steps.length === 0
    ? undefined
    : html`<nav class="crumbs" aria-label="Breadcrumb"><ol>${steps.map((step) => html`<li>${say(step)}</li>`)}</ol></nav>`
}

/** Returns the field that leads to the search page, on every page, with what was looked for. */
export const finder = (
  typed: string
): Html => html`<form class="finder" method="get" action="/dashboard/search" role="search">
<input type="hidden" name="open" value="1"><label class="hidden" for="find">Find anything</label><input id="find" name="q" type="text" value="${typed}" maxlength="256" placeholder="Phone, name, payment, template, project ( / )" autocomplete="off" autocapitalize="off" spellcheck="false"><button class="quiet">Find</button></form>`

/** The button that opens the menu on screens too narrow for a sidebar. The browser opens it without a script. */
export const menuButton: Html = html`<button class="menu-button" type="button" popovertarget="menu">${icon("menu")}<span>Menu</span></button>`

/** Returns the menu by groups: a sidebar on wide screens, behind `menuButton` on narrow ones, where who is signed in ends it. */
export const menu = (currentSection: Section | undefined, environment: string | undefined, who: Piece): Html => {
  const link = (section: Section) => {
    const { address, text, ofEnvironment }: MenuEntry = sections[section]
    return html`<a href="${address}${ofEnvironment && environment && `?environment=${environment}`}"${
      section === currentSection && html` aria-current="page"`
    }>${icon(section)}${say(text)}</a>`
  }
  return html`<nav id="menu" class="menu" aria-label="Dashboard" popover>
${link("overview")}
${groups.map(
  ([text, pages]) =>
    html`<details open id="menu-${pages[0]}"><summary class="menu-group">${say(text)}</summary><ul>${pages.map((section) => html`<li>${link(section)}</li>`)}</ul></details>`
)}
${who}
</nav>`
}
