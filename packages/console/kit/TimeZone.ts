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
  /<time datetime="([^"]+)" title="[^"]*"><span>[^<]*<\/span> <span>(\d\d:\d\d(?::\d\d)?) UTC<\/span><\/time>/g

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
  /** Epoch milliseconds: times of another year say theirs. */
  readonly now: number
}

/**
 * Returns a page's markup with its times, which are made in UTC, as its reader writes them: "29 Nov 13:08". The title has the
 * whole time with its zone, which the foot of the page names. Nothing else makes an element `time`.
 */
export const inZone = (markup: string, { isZoneUnknown, language, now, zone }: TimesReader): string => {
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
  const partsOf = (at: Date) => Object.fromEntries(formatter.formatToParts(at).map(({ type, value }) => [type, value]))
  const thisYear = partsOf(new Date(now)).year
  return markup.replaceAll(shownTime, (_, iso: string, shown: string) => {
    const part = partsOf(new Date(iso))
    const whole =
      language === "pt" ? `${part.day}/${part.month}/${part.year}` : `${part.year}-${part.month}-${part.day}`
    const time = `${part.hour}:${part.minute}:${part.second}`
    const offset = zone === "UTC" ? zone : (part.timeZoneName?.replace("GMT", "UTC") ?? zone)
    const day = `${Number(part.day)} ${shortMonths[language]?.[Number(part.month) - 1]}${part.year === thisYear ? "" : ` ${part.year}`}`
    const said = `${time.slice(0, shown.length)}${isZoneUnknown || zone === "UTC" ? ` ${offset}` : ""}`
    return `<time datetime="${iso}" title="${whole} ${time} ${offset}"><span>${day}</span> <span>${said}</span></time>`
  })
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
