import { formatReais } from "@carteiro/spellings/Reais.ts"
import { Context, Effect, Layer } from "effect"
import { areaChart, noChart, smallMultiples, stackedBars } from "../kit/Charts.ts"
import { confirmation } from "../kit/Confirmation.ts"
import { copyField, copyText, secret } from "../kit/CopyParts.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { icon } from "../kit/Icons.ts"
import { page } from "../kit/Pages.ts"
import {
  badge,
  bar,
  checkbox,
  facts,
  input,
  moment,
  none,
  notice,
  pager,
  personText,
  select,
  type Tone,
  table,
  textarea
} from "../kit/Parts.ts"
import { NotHere } from "../kit/Refusals.ts"
import { dayName } from "../kit/Spans.ts"
import { fold, section, storyPage, timeline } from "../kit/Story.ts"
import { phone, talk } from "./TalkGallery.ts"

/** True on a development server, which shows its developers every part that pages are made of. */
export class GalleryShown extends Context.Reference<boolean>("@carteiro/console/gallery/GalleryShown", {
  defaultValue: () => false
}) {}

/** The parts that pages are made of, each with made-up content. Only on development servers. Decision 0171 */
export const GalleryHttp = Layer.unwrap(
  Effect.map(Effect.service(GalleryShown), (isShown) =>
    page({
      operation: "kit",
      path: "/dashboard/kit",
      handler: () =>
        isShown ? Effect.succeed({ title: named("Kit"), talks: true, body: gallery }) : Effect.fail(new NotHere())
    })
  )
)

/** The gallery speaks to developers, in English: its words are data, and no catalog has them. */
const named = (text: string): Html => html`${text}`

const part = (id: string, title: string, content: Piece): Html =>
  html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${content}</section>`

const tones: ReadonlyArray<Tone> = ["good", "bad", "warn", "info", "plain"]
const days = Array.from({ length: 10 }, (_, index) => dayName(`2026-11-${index + 10}`))
const sent = [120, 132, 90, 148, 160, 40, 22, 130, 142, 151]
const share = (of: number) => sent.map((value) => Math.round(value * of))
const at = Date.UTC(2026, 10, 21, 14, 5, 9)

const words = part(
  "words",
  "Words",
  html`<p>${"A page has text of 14 pixels, and small text of 12 pixels beside it. "}<a href="/dashboard/kit">${"A link"}</a>${", "}<code>${"pay_01m8jqhz081ype8cepj63rtkdw"}</code>${", "}<span class="muted">${"something less important"}</span>${"."}</p>
<h3>${"A heading of the third level"}</h3><pre><code>${"curl https://api.example/v1/messages"}</code></pre>`
)

const buttons = part(
  "buttons",
  "Buttons",
  html`<div class="buttons"><button class="primary" type="button">${"Create payment"}</button><button type="button">${"Save"}</button><a class="button" href="/dashboard/kit">${"A way"}</a><button class="danger" type="button">${"Delete"}</button><button class="quiet" type="button">${"Quiet"}</button><a class="button" href="/dashboard/kit" aria-current="true">${"7 days"}</a></div>`
)

const marks = part(
  "marks",
  "Marks and messages",
  html`<p>${tones.map((tone) => html`${badge(named(tone), tone)} `)}</p>
${(["good", "bad", "warn", "info"] as const).map(
  (tone) =>
    html`<div class="notice ${tone}"><p>${"One sentence that says what happened, and "}<a href="/dashboard/kit">${"what to do"}</a>${"."}</p></div>`
)}
${notice("info", named("A message as pages show it."))}
<p class="empty">${"Nothing is here yet, and this says why."}</p>
<p>${(["paid", "failed", "expired", "organization", "switch", "menu"] as const).map((name) => html`${icon(name)} `)}</p>
${bar({ most: 100, value: 62, name: named("62 of 100") })}`
)

const fields = part(
  "fields",
  "Fields",
  html`<div class="columns"><div class="card">${input({ name: "name", label: named("Name"), value: "Loja da Ana", hint: named("As customers see it.") })}
${input({ name: "mail", label: named("E-mail"), type: "email", value: "ana", error: named("An e-mail has an @.") })}
${select({
  name: "kind",
  label: named("Kind"),
  chosen: "b",
  choices: [
    ["a", named("One")],
    ["b", named("Another")]
  ]
})}
${checkbox("events", "paid", named("When it is paid"), true)}<div class="buttons"><button class="primary" type="button">${"Save"}</button></div></div>
<div class="card">${textarea({ name: "body", label: named("Text"), value: "Oi, {{1}}! Seu pedido saiu." })}${secret(named("Secret"), "whsec_4fJx0aKf3nE1z9Qm")}
${copyField({ id: "link", label: named("Link"), value: "https://pay.example/p/8Qm4fJx0" })}${copyText({ id: "request", label: named("Request body"), value: '{\n  "type": "message.read"\n}' })}</div></div>
${confirmation({ action: "/dashboard/kit", csrf: "none", explanation: html`<p>${"The endpoint is deleted, with its deliveries."}</p>`, button: named("Delete"), back: "/dashboard/kit", dangerous: true })}`
)

const lists = part(
  "lists",
  "Lists and facts",
  html`${table(
    named("Payments"),
    ["Payment", "Status", "Customer", "Reference", "Amount", "Created"].map(named),
    [
      [
        "Pedido 1057 · Café em grãos",
        badge(named("paid"), "good"),
        "Fábio Nunes",
        none("none"),
        formatReais("153.0000"),
        moment(at)
      ],
      [
        "Pedido 1047 · Moedor",
        badge(named("waiting"), "info"),
        "Elisa Prado",
        none("none"),
        formatReais("1274.5000"),
        moment(at - 60_000)
      ],
      [
        "Pedido 1037 · Filtros",
        badge(named("failed"), "bad"),
        "Diego Rocha",
        none("none"),
        formatReais("8.9000"),
        moment(at - 3_600_000)
      ]
    ].map(([name, ...cells]) => [personText(html`<a href="/dashboard/kit">${name}</a>`), ...cells]),
    undefined
  )}${pager(undefined, "/dashboard/kit")}
<div class="columns"><div class="card">${facts([
    [named("Customer"), "Fábio Nunes"],
    [named("Amount"), formatReais("153.0000")],
    [named("Created"), moment(at)]
  ])}</div></div>
<ul class="tiles">${[
    [formatReais("4210.5000"), "balance"],
    ["1.284", "messages"],
    ["98,7%", "delivered"],
    ["3", "endpoints"]
  ].map(([figure, name]) => html`<li><span class="tile"><strong>${figure}</strong> ${name}</span></li>`)}</ul>`
)

const story = part(
  "story",
  "A page of one thing",
  storyPage({
    headline: { state: badge(named("paid"), "good"), about: ["Fábio Nunes"] },
    story: section(
      "timeline",
      named("What happened"),
      timeline([
        { what: "Accepted", at, cause: "POST /v1/payments" },
        { what: "Link ready", at: at + 340, tone: "info" },
        { what: "Approval requested", at: at + 1540, tone: "warn", cause: "Ana Souza, in the console." },
        { what: "Paid", at: at + 62_740, tone: "good", cause: "The bank said so" },
        { what: "Still unresolved", at: null, tone: "bad" }
      ])
    ),
    facts: facts([
      [named("Customer"), "Fábio Nunes"],
      [named("Id"), html`<code>${"pay_01m8jqhz081ype8cepj63rtkdw"}</code>`]
    ]),
    aside: fold("metadata", named("Metadata"), html`<pre>${'{ "canal": "loja" }'}</pre>`)
  }).body
)

const shared = { buckets: days, bucket: "Day", isRunning: true, write: String } as const

const charts = part(
  "charts",
  "Charts",
  html`<div class="charts"><div class="card"><h3>${"Messages"}</h3><p>${"Each series has its own plot, all to one measure."}</p>${smallMultiples(
    {
      ...shared,
      id: "messages",
      caption: named("Messages"),
      said: named("Messages by status"),
      series: [
        { name: named("Sent"), tone: "info", values: sent },
        { name: named("Delivered"), tone: "deep", values: share(0.98) },
        { name: named("Read"), tone: "good", values: share(0.8) },
        { name: named("Failed"), tone: "bad", values: share(0.02) }
      ]
    }
  )}</div>
<div class="card"><h3>${"Calls"}</h3><p>${"Parts of a whole stand on each other."}</p>${stackedBars({
    ...shared,
    id: "calls",
    caption: named("Calls"),
    said: named("Calls of endpoints"),
    series: [
      { name: named("Succeeded"), tone: "good", values: sent },
      { name: named("Failed"), tone: "bad", values: share(0.08) }
    ]
  })}</div>
<div class="card"><h3>${"Balance"}</h3><p>${"What stands at the end of each day."}</p>${areaChart({
    ...shared,
    id: "balance",
    caption: named("Balance"),
    said: named("Balance by day"),
    series: [{ name: named("Balance"), tone: "info", values: sent.map((value, index) => 40_000 - value * index * 8) }]
  })}</div>
<div class="card"><h3>${"Nothing to show"}</h3>${noChart("A payment stands here on the day it is paid.")}</div></div>`
)

const talks = html`${part("phone", "A message on its reader's phone", phone)}${part("talking", "A conversation", talk)}`

const gallery: Html = html`${words}${buttons}${marks}${fields}${lists}${story}${talks}${charts}`
