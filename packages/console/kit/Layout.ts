import { icon as favicon } from "@carteiro/html/Icon.ts"
import type { Session } from "../ports/Sessions.ts"
import { consoleScript } from "./ConsoleScript.ts"
import { keptParameters } from "./Forms.ts"
import { type Headline, titleOf } from "./Headline.ts"
import { type Html, html, type Piece } from "./Html.ts"
import {
  catalogs,
  contractWord,
  defaultLanguage,
  type Label,
  type Language,
  languages,
  languageTags,
  say,
  statusWord
} from "./Language.ts"
import { liveScript, streamPath } from "./LiveScript.ts"
import { crumbs, finder, menu, menuButton, type Section } from "./Menu.ts"
import { badge, csrfField, exactMoment, notice } from "./Parts.ts"
import type { Script } from "./Scripts.ts"
import { aloneStyleAddress, fontAddress, styleAddress, talkStyleAddress } from "./Style.ts"
import { placeSwitch, type VisitedEnvironment } from "./Switch.ts"
import { inZone, zoneForm, zoneName } from "./TimeZone.ts"

/** The content of a page below the menu. */
export interface Page {
  readonly title: Label
  readonly body: Html
  /** Status, customer and actions beside the title of a page of one thing. */
  readonly headline?: Headline
  /** Marked in the menu. */
  readonly section?: Section
  /** Shows messages as a phone does, outside the sections that do. */
  readonly talks?: true
  /** The environment the page is about; the menu stays with it. */
  readonly environment?: string | undefined
  /** True for a page without menu and banners, also for signed-in members. */
  readonly bare?: true
  /** For people who pay and know nothing of a dashboard: bare, and nothing leads to it. */
  readonly forPayers?: true
  /** Above the heading: who the page speaks for. */
  readonly lead?: Html
  readonly status?: number
  /** Said above the content after something was done. */
  readonly done?: Label | undefined
  /** Seconds after which a browser without scripts loads the page again, for what moves while it is looked at. */
  readonly again?: number | undefined
  /**
   * Follows its environment's events, or looks every few seconds for what is no event, with a script that takes over the
   * parts that say `live`.
   */
  readonly follows?: "events" | "time" | undefined
  /** Its own script beside that of the frame; the policy then allows scripts and calls of this origin. */
  readonly script?: Script | undefined
  /** The text that was searched for: it stays in the field. */
  readonly searched?: string
  /** Where one level up is. */
  readonly up?: readonly [address: string, text: Label]
}

/** The content security policy: a page loads from and posts to its own origin, and runs no script. */
const contentPolicy =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

/** The policy of a page with a script of ours: it runs that and calls this origin. */
const scriptPolicy = contentPolicy.replace("style-src", "script-src 'self'; connect-src 'self'; style-src")

/** Headers of every page without a script. */
export const pageHeaders = {
  "content-security-policy": contentPolicy,
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin"
} as const

/** Returns the headers of a page, which allow no more than it needs. */
export const headersOf = (page: Page, visitor: Session | undefined): Readonly<Record<string, string>> =>
  scriptsOf(page, visitor).length === 0 ? pageHeaders : { ...pageHeaders, "content-security-policy": scriptPolicy }

/** Returns the scripts of a page: that of the frame for a person who is signed in, that of live pages, and its own. */
const scriptsOf = (page: Page, visitor: Session | undefined): ReadonlyArray<Script> => [
  ...(shownTo(page, visitor) === undefined ? [] : [...(isLive(page) ? [liveScript] : []), consoleScript]),
  ...(page.script === undefined ? [] : [page.script])
]

const isLive = ({ again, follows }: Page): boolean => follows !== undefined || again !== undefined

/** Returns the session that a page shows; bare pages show none. */
const shownTo = (page: Page, visitor: Session | undefined): Session | undefined =>
  page.bare === true || page.forPayers === true ? undefined : visitor

/** Where a signed-in visitor stands. */
export interface Standing {
  /** Epoch milliseconds. */
  readonly now?: number
  /** Undefined in an organization without any project. */
  readonly place?: VisitedEnvironment | undefined
  /** The time of the page's sandbox where it is not real. */
  readonly turned?: TurnedTime | undefined
  /** The time zone of the reader; UTC where it is missing. */
  readonly zone?: string
  /** True until the reader, or the script for the browser, has said which zone. */
  readonly isZoneUnknown?: boolean
  /** The language of the reader. */
  readonly language?: Language
  /** The query of the page; undefined for the answer to a form. */
  readonly search?: string
}

/** Sections that show times of the real clock, also where a sandbox has turned its own. */
const inRealTime: ReadonlySet<Section> = new Set(["keys", "logs"])

/** Sections whose pages show messages as a phone does, or write them. */
const talking: ReadonlySet<Section> = new Set(["chat", "messages", "templates", "batches", "contacts"])

/** Returns the stylesheets of a page beside that of every page: a page brings what it shows. */
const furtherStyles = ({ section, talks }: Page, session: Session | undefined): ReadonlyArray<string> => [
  ...(talks === true || (section !== undefined && talking.has(section)) ? [talkStyleAddress] : []),
  ...(session === undefined ? [aloneStyleAddress] : [])
]

/** The whole document of a page, for a session or without one. */
export const document = (
  page: Page,
  visitor: Session | undefined,
  {
    isZoneUnknown = false,
    language = defaultLanguage,
    now,
    place,
    search,
    turned: ofClock,
    zone = "UTC"
  }: Standing = {}
): string => {
  const turned = page.section !== undefined && inRealTime.has(page.section) ? undefined : ofClock
  const session = shownTo(page, visitor)
  const markup = html`<!doctype html>
<html lang="${languageTags[language][0]}">
<head>
<meta charset="utf-8">
<title>${page.status === 400 && html`Error: `}${say(page.title)} · Carteiro</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
${page.again !== undefined && refresh(page.again, scriptsOf(page, visitor).length > 0)}
<link rel="preload" href="${fontAddress}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${styleAddress}">${furtherStyles(page, session).map((address) => html`<link rel="stylesheet" href="${address}">`)}
<link rel="icon" href="${favicon}">
${scriptsOf(page, visitor).map(({ address }) => html`<script src="${address(language)}" defer></script>`)}
</head>
<body${session ? html` data-now="${turned?.now ?? now}"${isZoneUnknown && html` data-zone="unknown"`}` : html` class="${page.forPayers === true ? "alone payers" : "alone"}"`}>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<div class="bar">
${page.forPayers === true ? html`<span class="brand">${brand}</span>` : html`<a class="brand" href="/dashboard">${brand}</a>`}
${session && [menuButton, finder(page.searched ?? ""), who(session)]}
</div>
</header>
${session && place && placeSwitch(place, session.organization.name, page.section)}
<div class="frame">
${session && menu(page.section, place?.current.id, who(session))}
<main id="main" tabindex="-1">
${session && crumbs(page.section, place?.current.id, page.up)}
${page.lead}
${titleOf(page.title, page.headline)}
${session && page.follows && following(page, search ?? "")}
${session && standing(session)}
${session && page.section !== "clock" && turned && timeNotice(page.environment, turned)}
${page.done && notice("good", say(page.done))}
${page.body}
</main>
</div>
<footer>${session && (search === undefined ? html`Times are in ${zoneName(zone)}.` : zoneForm(search, zone))}${page.forPayers !== true && html` <a href="/docs">Documentation</a>`}${page.bare !== true && search !== undefined && languageLinks(search, language)}</footer>
</body>
</html>
`.in(catalogs[language])
  return session ? inZone(markup, { zone, isZoneUnknown, language, now: turned?.now ?? now ?? 0 }) : markup
}

/** Returns the ways to a page in the other languages. */
const languageLinks = (search: string, current: Language): Piece =>
  languages
    .filter((language) => language !== current)
    .map((language) => {
      const [tag, name] = languageTags[language]
      const query = new URLSearchParams([...keptParameters(search, languageParameter), [languageParameter, language]])
      return html` <a href="?${query.toString()}" lang="${tag}" hreflang="${tag}">${name}</a>`
    })

/** The time of a sandbox whose clock was turned, in epoch milliseconds. */
export interface TurnedTime {
  readonly now: number
  readonly stands: boolean
}

const timeNotice = (environment: string | undefined, { now, stands }: TurnedTime): Html =>
  notice(
    "info",
    html`The time of this sandbox is ${exactMoment(now)}${stands ? say(", and stands still") : ""}. <a href="/dashboard/sandbox-clock?environment=${environment}">Turn its clock</a>`
  )

/** Says how fresh a page is; its script says it anew, and adds a button that lets it stand still. */
const following = ({ environment, follows }: Page, search: string): Html =>
  html`<div class="live"><p id="live" role="status"${
    follows === "events" && environment !== undefined && html` data-stream="${streamPath}?environment=${environment}"`
  }>This page shows how it was when it was loaded. <a href="?${search}">Look again</a></p></div>`

const refresh = (seconds: number, isScripted: boolean): Html => {
  const tag = html`<meta http-equiv="refresh" content="${seconds}">`
  return isScripted ? html`<noscript>${tag}</noscript>` : tag
}

const brand = html`<span class="stamp" aria-hidden="true"></span><span>Carteiro</span>`

const who = ({ organization, member, csrf }: Session): Piece => html`<div class="who">
<span class="given"><strong>${organization.name}</strong> <span class="muted">${member.name}, ${contractWord(member.role)}</span></span>
<form method="post" action="/dashboard/sign-out">${csrfField(csrf)}<button class="quiet">Sign out</button></form>
</div>`

/** Name of the parameter by which any address of the dashboard chooses a language. */
export const languageParameter = "language"

const standing = ({ organization, member }: Session): Piece => [
  organization.suspended_at !== null &&
    notice(
      "bad",
      html`${badge(statusWord("organization", "suspended"), "bad")} This organization is suspended. Its keys are refused, and nothing can be changed here.`
    ),
  organization.credit_blocked &&
    notice(
      "warn",
      html`${badge("credit blocked", "warn")} Production operations that cost credit are refused until credit is added.`
    ),
  member.role === "member" && notice("info", say("You can look at everything here. Owners and admins can change it."))
]
