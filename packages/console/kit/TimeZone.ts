import type { RawRequest } from "@carteiro/http-edge/Routes.ts"
import { DateTime, Option } from "effect"
import { readCookie, timeZoneCookie } from "./Cookies.ts"
import { keptParameters, queryParameter } from "./Forms.ts"
import { type Html, html } from "./Html.ts"
import { type Language, languages, languageTags, type Saying, say } from "./Language.ts"

/** Zones that a reader chooses from: Brazil's four, and where customers abroad often are. */
const zones: ReadonlyArray<readonly [zone: string, name: Saying]> = [
  ["UTC", "UTC"],
  ["America/Sao_Paulo", "Brasília, São Paulo"],
  ["America/Manaus", "Manaus"],
  ["America/Rio_Branco", "Rio Branco"],
  ["America/Noronha", "Fernando de Noronha"],
  ["America/New_York", "New York"],
  ["America/Los_Angeles", "Los Angeles"],
  ["Europe/Lisbon", "Lisbon"],
  ["Europe/Berlin", "Berlin"]
]

/** Name of the parameter by which any address of the dashboard chooses a zone. */
const parameter = "time_zone"

/** Every zone that this server can tell times in: the browser of a reader may name one that the choice does not list. */
const tellable: ReadonlySet<string> = new Set([...Intl.supportedValuesOf("timeZone"), ...zones.map(([zone]) => zone)])

const known = (zone: string | undefined): string | undefined =>
  zone !== undefined && tellable.has(zone) ? zone : undefined

/** The zone of a reader whose browser has not said it: most who read Portuguese are in that of Brasília. */
const zoneOfLanguage: Readonly<Record<Language, string>> = { en: "UTC", pt: "America/Sao_Paulo" }

/** Returns the zone that the address chooses, else the remembered one, else that of the language. */
export const zoneOf = (request: RawRequest, language: Language): string =>
  chosenZone(request) ?? known(readCookie(request.headers.cookie, timeZoneCookie)) ?? zoneOfLanguage[language]

/** True where the reader chose a zone, or the script remembered that of the browser. */
export const isZoneKnown = (request: RawRequest): boolean =>
  (chosenZone(request) ?? known(readCookie(request.headers.cookie, timeZoneCookie))) !== undefined

/** Returns the zone that the address chooses. */
export const chosenZone = (request: RawRequest): string | undefined => known(queryParameter(request, parameter))

const shownTime =
  /(<span class="exact">)?<time datetime="([^"]+)" title="[^"]*"><span>[^<]*<\/span> <span>(\d\d:\d\d(?::\d\d)?) UTC<\/span><\/time>/g

/** Returns a zone as people call it. */
export const zoneName = (zone: string): Html => {
  const name = zones.find(([one]) => one === zone)?.[1]
  return name === undefined ? html`${zone}` : say(name)
}

/** Short names of the months by language, from January. */
const shortMonths = Object.fromEntries(
  languages.map((language) => {
    const formatter = new Intl.DateTimeFormat(languageTags[language][0], { month: "short", timeZone: "UTC" })
    return [
      language,
      Array.from({ length: 12 }, (_, month) => formatter.format(Date.UTC(2026, month)).replace(".", ""))
    ]
  })
)

/** How a reader reads the times of a page. */
interface TimesReader {
  readonly zone: string
  /** True where the reader's browser has not said its zone: each time then says which one it is in. */
  readonly isZoneUnknown: boolean
  readonly language: Language
  /** Epoch milliseconds by the clock of the page: times of another year say theirs. */
  readonly now: number
}

/** Units in which people say how long ago something was, and the milliseconds of each. */
const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000]
] as const

/** A month in milliseconds: long ago is told best by its date. */
const relativeWithinMs = 2_592_000_000

const relativeWords = Object.fromEntries(
  languages.map((language) => [language, new Intl.RelativeTimeFormat(languageTags[language][0], { numeric: "auto" })])
)

/**
 * Returns the attribute that has a moment in the words that scripts show in its place. A browser takes a hundred milliseconds
 * and more on a phone until it has the words of a language, so that the first ones come with the page.
 */
const agoOf = (away: number, language: Language): string => {
  if (Math.abs(away) > relativeWithinMs) return ""
  const [unit, size] = units.find(([, least]) => Math.abs(away) >= least) ?? (["second", 1000] as const)
  return ` data-ago="${relativeWords[language]?.format(Math.trunc(away / size), unit)}"`
}

/**
 * Returns a page's markup with its times, which are made in UTC, as its reader writes them: "29 Nov 13:08". The title has the
 * whole time with its zone, which the foot of the page names. Nothing else makes an element `time`.
 */
export const inZone = (markup: string, { isZoneUnknown, language, now, zone }: TimesReader): string => {
  const offsetAt = offsetsOf(zone)
  const thisYear = localText(now, offsetAt(now)).slice(0, 4)
  return markup.replaceAll(shownTime, (_, exact: string | undefined, iso: string, shown: string) => {
    const at = Date.parse(iso)
    const offset = offsetAt(at)
    const local = localText(at, offset)
    const [year = "", month = "", day = ""] = local.slice(0, 10).split("-")
    const whole = language === "pt" ? `${day}/${month}/${year}` : local.slice(0, 10)
    const time = local.slice(11, 19)
    const short = `${Number(day)} ${shortMonths[language]?.[Number(month) - 1]}${year === thisYear ? "" : ` ${year}`}`
    const said = `${time.slice(0, shown.length)}${isZoneUnknown || zone === "UTC" ? ` ${offset.text}` : ""}`
    const ago = exact === undefined ? agoOf(at - now, language) : ""
    return `${exact ?? ""}<time datetime="${iso}" title="${whole} ${time} ${offset.text}"${ago}><span>${short}</span> <span>${said}</span></time>`
  })
}

/** The offset of a zone from UTC at one instant. */
interface Offset {
  readonly ms: number
  /** As readers know it, such as `UTC-3`. */
  readonly text: string
}

/** Returns an instant as clocks of its zone show it, in the form of a timestamp. */
const localText = (at: number, { ms }: Offset): string => new Date(at + ms).toISOString()

const utc: Offset = { ms: 0, text: "UTC" }

/** Zones change what they add to UTC at quarters of an hour. */
const quarterMs = 900_000

/** The zones, and the quarters of each, whose offsets are known at most: one is worked out for as much as a row is. */
const mostZones = 64
const mostQuarters = 2000
const zonesOffsets = new Map<string, (at: number) => Offset>()

/** Returns what tells the offsets of a zone, each worked out once. */
const offsetsOf = (zone: string): ((at: number) => Offset) => {
  if (zone === "UTC") return () => utc
  const before = zonesOffsets.get(zone)
  if (before !== undefined) return before
  const workOut = offsetOf(zone)
  const known = new Map<number, Offset>()
  const offsetAt = (at: number): Offset => {
    const quarter = Math.floor(at / quarterMs)
    const offset = known.get(quarter) ?? workOut(quarter * quarterMs)
    if (known.size >= mostQuarters) known.clear()
    known.set(quarter, offset)
    return offset
  }
  if (zonesOffsets.size >= mostZones) zonesOffsets.clear()
  zonesOffsets.set(zone, offsetAt)
  return offsetAt
}

const offsetOf = (zone: string): ((at: number) => Offset) => {
  const formatter = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    hourCycle: "h23",
    timeZoneName: "shortOffset",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit"
  })
  return (at) => {
    const part = Object.fromEntries(formatter.formatToParts(at).map(({ type, value }) => [type, value]))
    const local = Date.parse(`${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}:${part.second}Z`)
    return { ms: local - at, text: part.timeZoneName?.replace("GMT", "UTC") ?? zone }
  }
}

/** Returns when a day of a zone begins, some days later, in epoch milliseconds; undefined for what is no day. */
export const startOfDay = (day: string, zone: string, daysLater: number): number | undefined => {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return undefined
  return DateTime.makeZoned(day, { timeZone: zone, adjustForTimeZone: true }).pipe(
    Option.map((start) => DateTime.toEpochMillis(DateTime.add(start, { days: daysLater }))),
    Option.getOrUndefined
  )
}

/** Returns the choice of a zone at the foot of a page, which it leads back to; the cookie has the environment. */
export const zoneForm = (search: string, zone: string): Html => {
  return html`<form method="get" class="zone">${keptParameters(search, parameter).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`
  )}<label for="${parameter}">Times are in</label> <select id="${parameter}" name="${parameter}">${!zones.some(([one]) => one === zone) && html`<option value="${zone}" selected>${zone.replaceAll("_", " ")}</option>`}${zones.map(
    ([one, name]) => html`<option value="${one}"${one === zone && html` selected`}>${say(name)}</option>`
  )}</select> <button>Set</button></form>`
}
